#pragma once

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// The number of goal facts that do not hold (Fikes, Hart and Nilsson 1972).
struct GoalCount : Heuristic {
  Bound bind(const Task& task, Monitor&) const override;
  bool safe() const override { return true; }
  bool same(const Heuristic& other) const override { return equal(*this, other); }
};

/// Zero: no heuristic at all.
struct Blind : Heuristic {
  Bound bind(const Task& task, Monitor&) const override;
  bool safe() const override { return true; }
  bool same(const Heuristic& other) const override { return equal(*this, other); }
};

}  // namespace banditplan
