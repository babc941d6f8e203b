#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002). Assumes rewards in a known range, here [0, c], shared by all arms.
struct Ucb1 : Bandit {
  double c = 1;

  std::size_t choose(const Arms& arms, Random& random) const override {
    const double log = 2 * arms.log_total;
    return lowest(arms, random, [&](const Arm& arm) { return arm.estimate - c * std::sqrt(log / arm.count); });
  }
};

}  // namespace banditplan
