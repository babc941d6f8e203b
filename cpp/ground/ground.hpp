#pragma once

#include "ground/lifted.hpp"
#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Grounds a task: reachability → ground actions → simplification → mutex groups → finite-domain variables.
/// `prune_mutex`: leave out actions that mutex groups show to be inapplicable; without it the actions are
/// those of plain delete-relaxed reachability.
Task ground(const LiftedTask& lifted, bool prune_mutex, Monitor& monitor);

}  // namespace banditplan
