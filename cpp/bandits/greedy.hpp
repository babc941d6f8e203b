#pragma once

#include "bandits/bandit.hpp"

namespace banditplan {

/// No exploration: the arm with the least mean. With Full-Bellman, greedy best-first search as a tree.
struct Greedy : Bandit {
  std::size_t choose(const Arms& arms, Random& random) const override {
    return lowest(arms, random, [](const Arm& arm) { return arm.estimate; });
  }
};

}  // namespace banditplan
