#pragma once

#include <span>

#include "task/task.hpp"

namespace banditplan {

/// Whether two of the facts, which are ascending, exclude each other: as values of one variable, as a fact and its
/// negation, or by a mutex.
bool exclude_each_other(const Task& task, std::span<const Id> facts);

}  // namespace banditplan
