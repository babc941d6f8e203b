#pragma once

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// The number of landmarks that are still to come (Richter, Helmert and Westphal 2008). A heuristic of paths.
struct LandmarksHeuristic : Heuristic {
  bool complete = false;  // also all fact landmarks of the delete relaxation

  Bound bind(const Task& task, Monitor& monitor) const override;
  bool safe() const override { return true; }
  bool same(const Heuristic& other) const override { return equal(*this, other, &LandmarksHeuristic::complete); }
};

}  // namespace banditplan
