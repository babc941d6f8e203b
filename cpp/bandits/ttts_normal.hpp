#pragma once

#include <algorithm>
#include <limits>

#include "bandits/bandit.hpp"

namespace banditplan {

/// TTTS-Normal, top-two Thompson sampling (Russo 2020), with Gaussian posteriors N(mean, variance / count). Assumes
/// Gaussian rewards, and that the aim is to find the best arm, not to gain on the way.
struct TttsNormal : Bandit {
  static constexpr int kRedraws = 100;

  std::size_t choose(const Arms& arms, Random& random) const override {
    if (arms.offered() == 1) return lowest(arms, random, [](const Arm& arm) { return arm.estimate; });
    auto draw = [&](const Arm& arm) {
      return arm.variance > 0 ? arm.estimate + std::sqrt(arm.variance / arm.count) * random.normal() : arm.estimate;
    };
    const std::size_t leader = lowest(arms, random, draw);
    if (random.below(2) == 0) return leader;
    // Without any variance, drawing again is of no use.
    const bool varies = arms.any([](const Arm& arm) { return arm.variance > 0; });
    for (int i = 0; varies && i < kRedraws; ++i)
      if (const std::size_t challenger = lowest(arms, random, draw); challenger != leader) return challenger;
    const Arm* first = &arms.all[leader];
    return lowest(arms, random, [&](const Arm& arm) {
      return &arm == first ? std::numeric_limits<double>::infinity() : arm.estimate;
    });
  }
};

}  // namespace banditplan
