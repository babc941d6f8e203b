#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Normal (Auer, Cesa-Bianchi and Fischer 2002). Assumes Gaussian rewards of unknown mean and variance; its proof
/// rests on conjectured bounds of the χ² and t distributions, and it begins with ⌊8 log T⌋ pulls of every arm.
struct Ucb1Normal : Bandit {
  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = arms.log_total, pulls = std::floor(8 * log);
    if (arms.any([&](const Arm& arm) { return arm.count < pulls; }))
      return lowest(arms, random, [](const Arm& arm) { return arm.count; });
    return lowest(arms, random, [&](const Arm& arm) {
      return arm.estimate - std::sqrt(arm.variance) * std::sqrt(16 * log / arm.count);
    });
  }
};

}  // namespace banditplan
