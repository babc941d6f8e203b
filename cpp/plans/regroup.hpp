#pragma once

#include <vector>

#include "plans/needs.hpp"

namespace banditplan {

enum class From { front, back };

/// The actions of a plan in another order, in which those that build on each other stand together: a plan as well,
/// which reaches the same state. Only actions change places of which neither sets what the other one reads or sets.
/// Beginning at the front or at the back, an action is followed by one that has waited for it, if there is one.
std::vector<Id> regrouped(const Task& task, const std::vector<Id>& plan, From from, Needs& needs, Work& work);

}  // namespace banditplan
