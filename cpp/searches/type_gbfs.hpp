#pragma once

#include "open_lists/type_list.hpp"
#include "searches/queue_search.hpp"

namespace banditplan {

/// Type-GBFS (Xie, Müller, Holte and Imai 2014): greedy best-first search in turn with draws over the types (h, g).
struct TypeGbfs : QueueSearch {
 protected:
  std::vector<OpenListPointer> lists() const override { return {greedy({heuristic}), of(TypeList())}; }
};

}  // namespace banditplan
