#pragma once

#include <vector>

#include "monitor.hpp"
#include "plans/work.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Takes redundant actions out of the plan: none of those that are left can be taken out, together with the later
/// actions that cannot be applied then, without missing the goal (a plan that is greedily justified; Fink and Yang
/// 1992). Among sets of actions that can be taken out, the most expensive goes first (Action Elimination, Nakhost and
/// Müller 2010; with costs, Balyo, Chrpa and Kilani 2014). A round takes a time quadratic in the length of the plan;
/// there are few. It is a plan at any moment: whatever work or monitor throw, what is there is valid.
void eliminate(const Task& task, std::vector<Id>& plan, Work& work, Monitor& monitor);

}  // namespace banditplan
