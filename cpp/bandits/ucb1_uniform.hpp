#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1-Uniform (Asai and Wissow 2026). Assumes uniform rewards between unknown bounds, which are estimated by the
/// least and the greatest value seen.
struct Ucb1Uniform : Bandit {
  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = 6 * arms.log_total;
    return lowest(arms, random, [&](const Arm& arm) {
      const auto [minimum, maximum] = arms.extremes_of(arm);
      return arm.estimate - (maximum - minimum) * std::sqrt(log * arm.count);
    });
  }
  Center center() const override { return Center::midrange; }
};

}  // namespace banditplan
