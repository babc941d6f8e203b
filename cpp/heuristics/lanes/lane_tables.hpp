#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "heuristics/lanes/lane_program.hpp"
#include "heuristics/relaxed_network.hpp"
#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// What programs read of a network, beside the arrays of the network itself; shared by all who use the task.
struct LaneTables {
  LaneTables(const Task& task, const RelaxedNetwork& network, Monitor& monitor)
      : is_goal(network.facts, 0), is_derived(network.facts, 0) {
    adds.reserve(network.adds.total());
    for (const RelaxedNetwork::Add& add : network.adds.items()) adds.push_back(add.fact);
    achiever_operators.reserve(network.achievers.total());
    achiever_actions.reserve(network.achievers.total());
    for (Id way : network.achievers.items()) {
      monitor.check_short();
      achiever_operators.push_back(network.operator_of[way]);
      achiever_actions.push_back(network.action_of[way]);
    }
    for (Id fact : task.goal) is_goal[fact] = 1;
    for (const Variable& variable : task.variables)
      if (variable.derived()) is_derived[variable.first_fact] = 1;
    for (std::size_t op = 0; op < network.operators(); ++op)
      most_preconditions = std::max(most_preconditions, network.preconditions[op].size());
  }

  static std::shared_ptr<const LaneTables> of(const Task& task, const RelaxedNetwork& network, Monitor& monitor) {
    return task.shared.get<LaneTables>(0, monitor, [&] { return LaneTables(task, network, monitor); });
  }

  LaneNetwork view(const Task& task, const RelaxedNetwork& network) const {
    return {.operators = static_cast<Id>(network.operators()),
            .facts = static_cast<Id>(network.facts),
            .precondition_begin = network.preconditions.starts().data(),
            .precondition = network.preconditions.items().data(),
            .add_begin = network.adds.starts().data(),
            .add = adds.data(),
            .operator_cost = network.costs.data(),
            .achiever_begin = network.achievers.starts().data(),
            .achiever_operator = achiever_operators.data(),
            .achiever_action = achiever_actions.data(),
            .goal = task.goal.data(),
            .goals = static_cast<Id>(task.goal.size()),
            .is_goal = is_goal.data(),
            .is_derived = task.axioms() > 0 ? is_derived.data() : nullptr};
  }

  std::vector<Id> adds;                                  // per operator: facts
  std::vector<Id> achiever_operators, achiever_actions;  // per fact, as the ways that achieve it
  std::vector<std::uint8_t> is_goal, is_derived;         // per fact
  std::size_t most_preconditions = 0;
};

}  // namespace banditplan
