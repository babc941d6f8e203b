#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Uniform (Asai and Wissow 2026). Assumes uniform rewards between unknown bounds, which are estimated by the
/// least and the greatest value seen.
struct Ucb1Uniform : Bandit {
  std::size_t choose(std::span<Arm> arms, double total, Random& random) const override {
    const double log = 6 * logarithm_of_count(total);
    return lowest(arms, random, [&](const Arm& arm) {
      return arm.midrange - (arm.maximum - arm.minimum) * std::sqrt(log * arm.count);
    });
  }
};

}  // namespace banditplan
