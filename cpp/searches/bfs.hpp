#pragma once

#include "heuristics/goal_count.hpp"
#include "open_lists/fifo_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Breadth-first search (Moore 1959): the oldest state; hence a plan with the fewest steps.
struct Bfs : BestFirst {
  Bfs() { heuristic = std::make_shared<Blind>(); }

  OpenLists open_lists() const override { return list_of(FifoList()); }
};

}  // namespace banditplan
