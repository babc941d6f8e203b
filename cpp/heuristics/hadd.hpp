#pragma once

#include "heuristics/relaxation.hpp"

namespace banditplan {

/// hadd (Bonet and Geffner 2001): the sum of the goals' costs, where a fact costs as much as its cheapest action and
/// the sum of that action's preconditions.
struct HAdd : RelaxationHeuristic {
  CostType cost = CostType::unit;

  Bound bind(const Task& task, Monitor& monitor) const override {
    return make_relaxation(task, {Estimate::add, cost, PreferredType::relaxed_plan}, monitor);
  }
  bool same(const Heuristic& other) const override { return equal(*this, other, &HAdd::cost); }
};

}  // namespace banditplan
