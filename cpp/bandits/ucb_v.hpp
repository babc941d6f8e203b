#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB-V (Audibert, Munos and Szepesvári 2009). Assumes rewards in a known range, here [0, c], of unknown variance.
struct UcbV : Bandit {
  double c = 1;

  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = arms.log_total;
    return lowest(arms, random, [&](const Arm& arm) {
      return arm.estimate - std::sqrt(arm.variance) * std::sqrt(2 * log / arm.count) - 3 * c * log / arm.count;
    });
  }
};

}  // namespace banditplan
