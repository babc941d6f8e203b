#pragma once

#include <algorithm>
#include <limits>

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-01 (Schulte and Keller 2014): UCB1 on means that are scaled to [0, 1] among all arms of a parent, locked ones
/// included, in the form without a division of Wissow and Asai (2024). Assumes one range of rewards per parent, that of
/// the means.
struct Ucb101 : Bandit {
  double c = 1;

  std::size_t choose(const Arms& arms, Random& random) const override {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Arm& arm : arms.all) {
      if (std::isinf(arm.estimate)) continue;  // under Full-Bellman a locked arm has no value
      least = std::min(least, arm.estimate);
      most = std::max(most, arm.estimate);
    }
    const double log = 2 * arms.log_total, scale = c * (most - least);
    return lowest(arms, random, [&](const Arm& arm) { return arm.estimate - scale * std::sqrt(log / arm.count); });
  }
};

}  // namespace banditplan
