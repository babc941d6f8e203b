#pragma once

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// hFF (Hoffmann and Nebel 2001): the number of distinct actions in a relaxed plan that is extracted along the best
/// supporters of hadd. The best supporter of a fact is the cheapest action, the first one among equals.
struct Ff : Heuristic {
  std::unique_ptr<Evaluator> bind(const Task& task) const override;
  bool safe() const override { return true; }
};

}  // namespace banditplan
