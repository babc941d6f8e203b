#pragma once

#include <optional>
#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Where a plan can be taken up again: for each place in it, facts with which the rest of the plan reaches the goal.
struct Rejoining {
  std::size_t first = 0;  // the plan can be taken up from this step on; before it nothing is known
  Lists<Id> conditions;   // per place, from `first` to the end: facts, ascending; the last one is the goal
};

/// Regresses the goal through the plan, a list of actions, or -1 for a step that is no action of the task. Effects
/// with conditions and derived facts are pinned to what they were on the plan's way from `start`, a state; without it,
/// or if the way ends early, regression stops at the first of them.
Rejoining rejoining(const Task& task, const std::vector<Id>& plan, const std::optional<std::vector<Id>>& start,
                    Monitor& monitor);

/// The last place whose condition holds in the initial state: the rest of the plan is a plan.
std::optional<std::size_t> kept_from(const Task& task, const Rejoining& places);

/// The task in which the goal, or any place of the plan, may be reached: further actions, one per place, behind those
/// of the task, cost what the rest of the plan costs, and end the search.
Task with_places(const Task& task, const std::vector<Id>& plan, const Rejoining& places);

/// The task without some of its actions, and the numbers that the others had.
struct Remainder {
  Task task;
  std::vector<Id> actions;
};
Remainder without(const Task& task, const std::vector<bool>& forbidden);

}  // namespace banditplan
