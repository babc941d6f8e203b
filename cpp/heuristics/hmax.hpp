#pragma once

#include "heuristics/relaxation.hpp"

namespace banditplan {

/// hmax (Bonet and Geffner 2001): the dearest goal's cost, where a fact costs as much as its cheapest action and the
/// dearest of that action's preconditions. Admissible.
struct HMax : RelaxationHeuristic {
  CostType cost = CostType::unit;

  Bound bind(const Task& task, Monitor& monitor) const override {
    return make_relaxation(task, {Estimate::max, cost, PreferredType::relaxed_plan}, monitor);
  }
  bool same(const Heuristic& other) const override { return equal(*this, other, &HMax::cost); }
};

}  // namespace banditplan
