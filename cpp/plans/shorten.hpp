#pragma once

#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// A plan that is not more expensive and, at the same cost, not longer: first without redundant actions (`eliminate`),
/// then with better ways through its windows (`improve_windows`). It takes `work`, as `Work` counts it, at the most,
/// and ends when the monitor says so; what is there by then is a plan, too.
std::vector<Id> shorten(const Task& task, std::vector<Id> plan, std::int64_t work, Monitor& monitor);

}  // namespace banditplan
