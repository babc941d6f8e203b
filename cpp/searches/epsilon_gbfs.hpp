#pragma once

#include "open_lists/epsilon_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// ε-greedy best-first search (Valenzano, Sturtevant, Schaeffer and Xie 2014): now and then any state.
struct EpsilonGbfs : BestFirst {
  double epsilon = 0.2;

  OpenLists open_lists() const override { return list_of(EpsilonList(epsilon)); }
};

}  // namespace banditplan
