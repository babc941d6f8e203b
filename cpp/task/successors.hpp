#pragma once

#include <vector>

#include "task/axioms.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Finds the applicable actions of a state in a decision tree: a switch leads on by the value of one variable,
/// a leaf holds actions whose conditions have all been tested; what tests other variables is chained behind.
/// The time depends on the branches that match, not on the number of actions.
class SuccessorGenerator {
 public:
  explicit SuccessorGenerator(const Task& task);

  /// Appends the ids of the applicable actions, ascending.
  void applicable(const Id* state, std::vector<Id>& actions);

 private:
  void build(const Lists<Id>& conditions);

  const Task& task_;
  // Nodes, back to back. A switch: variable, next node, a child per value. A leaf: ~count, next node, actions.
  // Nodes are named by their offsets, kNone is none.
  static constexpr Id kNone = -1;
  std::vector<Id> nodes_;
  std::vector<bool> has_negated_;  // per action: some precondition is a negated fact, tested at the end
  std::vector<Id> stack_;
};

/// The state after an action; derived variables are evaluated.
class Applier {
 public:
  explicit Applier(const Task& task) : task_(task), axioms_(task) {}
  /// `to` must not be `from`.
  void apply(Id action, const Id* from, Id* to);

 private:
  const Task& task_;
  AxiomEvaluator axioms_;
};

}  // namespace banditplan
