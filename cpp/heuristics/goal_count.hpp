#pragma once

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// The number of goal facts that do not hold (Fikes, Hart and Nilsson 1972).
struct GoalCount : Heuristic {
  std::unique_ptr<Evaluator> bind(const Task& task, Monitor& monitor) const override;
  bool safe() const override { return true; }
};

/// Zero: no heuristic at all.
struct Blind : Heuristic {
  std::unique_ptr<Evaluator> bind(const Task& task, Monitor& monitor) const override;
  bool safe() const override { return true; }
};

}  // namespace banditplan
