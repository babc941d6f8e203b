#pragma once

#include <algorithm>

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002). Assumes rewards in [0, 1], whose variance is at most 1/4.
struct Ucb1Tuned : Bandit {
  double c = 1;

  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = arms.log_total;
    return lowest(arms, random, [&](const Arm& arm) {
      const double bound = arm.variance + std::sqrt(2 * log / arm.count);
      return arm.estimate - c * std::sqrt(std::min(0.25, bound) * log / arm.count);
    });
  }
};

}  // namespace banditplan
