#pragma once

#include "searches/search.hpp"
#include "states/found_states.hpp"

namespace banditplan {

/// How near the states of a search came to the goal: it looks through all of them once more, since nobody had to count
/// while they came. None if that is stopped.
std::optional<Closest> closest_to_goal(const Task& task, FoundStates& found, Monitor& monitor);

}  // namespace banditplan
