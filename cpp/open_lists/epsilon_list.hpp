#pragma once

#include "open_lists/ordered_by.hpp"

namespace banditplan {

/// With probability ε any of the states, each as likely; else the smallest h, the oldest first (Valenzano, Sturtevant,
/// Schaeffer and Xie 2014).
struct EpsilonList : OrderedBy {
  double epsilon = 0.2;

  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
};

}  // namespace banditplan
