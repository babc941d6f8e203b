#pragma once

#include <optional>

#include "heuristics/exploration.hpp"
#include "heuristics/relaxed_plan.hpp"

namespace banditplan {

/// Finds relaxed plans of states, one at a time, with unit costs. What it needs is made when the first one is asked
/// for.
class RelaxedPlanner {
 public:
  /// Task and monitor must live as long as the planner.
  RelaxedPlanner(const Task& task, Monitor& monitor) : task_(task), monitor_(monitor) {}

  /// The plan of the state, until the next call; none for a dead end.
  const RelaxedPlan* find(const Id* state) {
    if (!tools_) tools_.emplace(task_, monitor_);
    tools_->exploration.run(state);
    if (!tools_->exploration.goal_reached()) return nullptr;
    tools_->plan.extract([&](Id fact) { return tools_->exploration.supporter(fact); });
    return &tools_->plan;
  }

  /// What the fact costs in the state of the last plan.
  Id cost(Id fact) const { return tools_->exploration.cost(fact); }

 private:
  struct Tools {
    Tools(const Task& task, Monitor& monitor)
        : network(RelaxedNetwork::in_order(task, CostType::unit, monitor)),
          exploration(task, *network),
          plan(task, *network) {}

    std::shared_ptr<const RelaxedNetwork> network;
    Exploration<Sum> exploration;
    RelaxedPlan plan;
  };

  const Task& task_;
  Monitor& monitor_;
  std::optional<Tools> tools_;
};

}  // namespace banditplan
