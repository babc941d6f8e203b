#pragma once

#include "searches/queue_search.hpp"

namespace banditplan {

/// Greedy best-first search (Doran and Michie 1966): a state with the smallest h.
struct Gbfs : QueueSearch {
  Ties ties = Ties::fifo;

 protected:
  std::vector<OpenListPointer> lists() const override { return {greedy({heuristic}, ties)}; }
};

}  // namespace banditplan
