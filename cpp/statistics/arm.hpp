#pragma once

#include "statistics/statistics.hpp"

namespace banditplan {

/// A child as a bandit sees it: its data are the h-values of the leaves under it. Costs are minimised. 32 bytes.
struct Arm {
  double estimate = 0;  // what the backup says the child is worth: the mean, for one
  double variance = 0;  // of the population
  std::uint32_t count : 31 = 0;
  std::uint32_t preferred : 1 = 0;  // reached by an action that the heuristic recommends in the parent's state
  Value minimum = Statistics::kNone;
  Value maximum = -1;
  Value open_minimum = Statistics::kNone;  // over the leaves that are not locked; none: they all are

  bool locked() const { return open_minimum == Statistics::kNone; }
};

static_assert(sizeof(Arm) == 32);

}  // namespace banditplan
