#pragma once

#include "open_lists/greedy_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Greedy best-first search (Doran and Michie 1966): a state with the smallest h.
struct Gbfs : BestFirst {
  Ties ties = Ties::fifo;

  OpenLists open_lists() const override { return list_of(GreedyList(ties)); }
};

}  // namespace banditplan
