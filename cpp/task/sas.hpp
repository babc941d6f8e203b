#pragma once

#include <string>

#include "task/task.hpp"

namespace banditplan {

/// The task in the format of Fast Downward's translator, version 3. That has no negated facts: where a variable has
/// more than two values, whether it has a certain one becomes a variable of its own, which effects keep up to date.
std::string to_sas(const Task& task);

}  // namespace banditplan
