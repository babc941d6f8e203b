#pragma once

#include "ground/coverage.hpp"
#include "ground/lifted.hpp"
#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

struct GroundingOptions {
  /// Leave out actions that mutex groups show to be inapplicable; without it the actions are those of plain
  /// delete-relaxed reachability.
  bool prune_mutex = true;
  /// Keep facts and actions that do not matter for the goal: for those who walk through states or look into them.
  bool keep_irrelevant = false;
};

/// Grounds a task: reachability → ground actions → simplification → mutex groups → finite-domain variables. `coverage`,
/// if given, gets what that took for granted of the initial state.
Task ground(const LiftedTask& lifted, const GroundingOptions& options, Monitor& monitor, Coverage* coverage = nullptr);

}  // namespace banditplan
