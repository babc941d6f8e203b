#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Normal2 (Wissow and Asai 2024). Assumes Gaussian rewards of unknown mean and variance, and that the variance is
/// estimated well: the bound adapts to the scale of each arm.
struct Ucb1Normal2 : Bandit {
  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = std::sqrt(2 * arms.log_total);
    return lowest(arms, random, [&](const Arm& arm) { return arm.estimate - std::sqrt(arm.variance) * log; });
  }
};

}  // namespace banditplan
