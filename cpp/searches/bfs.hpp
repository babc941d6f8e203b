#pragma once

#include "open_lists/fifo_list.hpp"
#include "searches/sentence.hpp"

namespace banditplan {

/// Breadth-first search (Moore 1959): the oldest state; hence a plan with the fewest steps.
struct Bfs : NamedSearch {
  SearchPointer sentence() const override { return best_first(std::make_shared<FifoList>()); }
};

}  // namespace banditplan
