#pragma once

#include "open_lists/greedy_list.hpp"
#include "open_lists/type_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Type-GBFS (Xie, Müller, Holte and Imai 2014): greedy best-first search in turn with draws over the types (h, g).
struct TypeGbfs : BestFirst {
  OpenLists open_lists() const override { return list_of(GreedyList(), TypeList()); }
};

}  // namespace banditplan
