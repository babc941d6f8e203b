#pragma once

#include <algorithm>

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-01 (Schulte and Keller 2014): UCB1 on means that are scaled to [0, 1] among the arms, in the form without a
/// division of Wissow and Asai (2024). Assumes one range of rewards, that of the means, for all arms of a parent.
struct Ucb101 : Bandit {
  double c = 1;

  std::size_t choose(std::span<Arm> arms, double total, Random& random) const override {
    double least = arms[0].mean, most = arms[0].mean;
    for (const Arm& arm : arms) {
      least = std::min(least, arm.mean);
      most = std::max(most, arm.mean);
    }
    const double log = 2 * logarithm_of_count(total), scale = c * (most - least);
    return lowest(arms, random, [&](const Arm& arm) { return arm.mean - scale * std::sqrt(log / arm.count); });
  }
};

}  // namespace banditplan
