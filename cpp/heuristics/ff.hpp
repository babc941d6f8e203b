#pragma once

#include "heuristics/relaxation.hpp"

namespace banditplan {

/// hFF (Hoffmann and Nebel 2001): the distinct actions of a relaxed plan along the best supporters of hadd. The best
/// supporter of a fact is the cheapest action, the first one among equals. Recommends actions of the relaxed plan.
struct Ff : RelaxationHeuristic {
  CostType cost = CostType::unit;
  PreferredType preferred = PreferredType::relaxed_plan;

  Bound bind(const Task& task, Monitor& monitor) const override {
    return make_relaxation(task, {Estimate::relaxed_plan, cost, preferred}, monitor);
  }
  bool recommends() const override { return true; }
  bool same(const Heuristic& other) const override { return equal(*this, other, &Ff::cost, &Ff::preferred); }
};

}  // namespace banditplan
