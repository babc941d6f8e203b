#pragma once

#include <algorithm>
#include <vector>

#include "heuristics/relaxed_network.hpp"

namespace banditplan {

/// Which actions a relaxed plan recommends.
enum class PreferredType {
  relaxed_plan,  // the applicable actions of the relaxed plan
  helpful,       // the applicable actions that add a fact which an applicable action of the relaxed plan adds
};

/// Collects the supporters backwards from the goal; the relaxed plan is the set of their actions.
class RelaxedPlan {
 public:
  RelaxedPlan(const Task& task, const RelaxedNetwork& network)
      : task_(task), network_(network), in_plan_(task.actions(), false), marked_(network.facts, false) {}

  /// `supporter(fact)`: the way to the fact, or -1 where it was true.
  template <class Supporter>
  void extract(Supporter&& supporter) {
    for (Id fact : facts_) marked_[fact] = false;
    for (Id action : actions_) in_plan_[action] = false;
    facts_.clear();
    actions_.clear();
    for (Id fact : task_.goal) mark(fact, supporter);
    for (std::size_t next = 0; next < facts_.size(); ++next) {
      const Id way = supporter(facts_[next]);
      const Id action = network_.action_of[way];
      if (action >= 0 && !in_plan_[action]) {
        in_plan_[action] = true;
        actions_.push_back(action);
      }
      for (Id fact : network_.preconditions[network_.operator_of[way]]) mark(fact, supporter);
    }
  }

  const std::vector<Id>& actions() const { return actions_; }
  /// The facts that the plan reaches.
  const std::vector<Id>& facts() const { return facts_; }

 private:
  template <class Supporter>
  void mark(Id fact, Supporter&& supporter) {
    if (marked_[fact] || supporter(fact) < 0) return;
    marked_[fact] = true;
    facts_.push_back(fact);
  }

  const Task& task_;
  const RelaxedNetwork& network_;
  std::vector<char> in_plan_, marked_;
  std::vector<Id> actions_, facts_;
};

}  // namespace banditplan
