#pragma once

#include "open_lists/fifo_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Breadth-first search (Moore 1959): the oldest state; hence a plan with the fewest steps.
struct Bfs : NamedSearch {
  BestFirst sentence() const override {
    BestFirst search;
    search.open = std::make_shared<FifoList>();
    return search;
  }
};

}  // namespace banditplan
