#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// States that actions lead to, one after the other, each a value per variable.
struct Transitions {
  std::vector<Id> values;
  std::vector<Id> actions;  // per state: the action that leads there; -1: none does
  std::vector<Id> parents;  // per state: the number of the state that it comes from; -1: of none
};

/// All successors of the given states, in their order, and by ascending actions.
Transitions successors(const Task& task, std::span<const Id> states, std::size_t count, Monitor& monitor);

/// The states after one action each. Returns the number of the first action that cannot be applied, or -1.
std::ptrdiff_t apply_each(const Task& task, std::span<const Id> states, std::span<const Id> actions,
                          std::span<Id> results, Monitor& monitor);

/// Walks by random applicable actions of at most so many steps, one after the other; one that has nowhere to go ends
/// early. Parents are numbers of states of the walks themselves.
Transitions random_walks(const Task& task, const std::vector<Id>& start, std::size_t walks, std::size_t steps,
                         std::uint64_t seed, Monitor& monitor);

}  // namespace banditplan
