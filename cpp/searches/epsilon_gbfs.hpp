#pragma once

#include "open_lists/epsilon_list.hpp"
#include "searches/queue_search.hpp"

namespace banditplan {

/// ε-greedy best-first search (Valenzano, Sturtevant, Schaeffer and Xie 2014): now and then any state.
struct EpsilonGbfs : QueueSearch {
  double epsilon = 0.2;

 protected:
  std::vector<OpenListPointer> lists() const override {
    EpsilonList list;
    list.epsilon = epsilon;
    return {of(list)};
  }
};

}  // namespace banditplan
