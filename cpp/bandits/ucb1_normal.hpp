#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Normal (Auer, Cesa-Bianchi and Fischer 2002). Assumes Gaussian rewards of unknown mean and variance; its proof
/// rests on conjectured bounds of the χ² and t distributions, and it begins with ⌊8 log T⌋ pulls of every arm.
struct Ucb1Normal : Bandit {
  std::size_t choose(std::span<Arm> arms, double total, Random& random) const override {
    const double log = logarithm_of_count(total), pulls = std::floor(8 * log);
    for (const Arm& each : arms)
      if (each.count < pulls) return lowest(arms, random, [](const Arm& arm) { return arm.count; });
    return lowest(arms, random,
                  [&](const Arm& arm) { return arm.mean - std::sqrt(arm.variance) * std::sqrt(16 * log / arm.count); });
  }
};

}  // namespace banditplan
