#pragma once

#include <memory>
#include <vector>

#include "monitor.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

/// Costs and their sums stop growing here; a cost this large still means "reached".
constexpr Id kSaturated = (1 << 30) - 1;

/// The delete relaxation of a task as a network of facts and operators.
///
/// A *way* is one action with one of its effect conditions, or an axiom; ways are numbered by action, axioms last, so
/// that "the smallest id" means the same for actions and ways. An *operator* is a set of preconditions with a cost, for
/// one way or for several. An add that another, earlier way to the same fact makes superfluous (it costs no more and
/// needs no other facts), or that nobody reads, is left out.
struct RelaxedNetwork {
  RelaxedNetwork(const Task& task, CostType cost_type, Monitor& monitor);
  /// The one that is shared by all who use the task.
  static std::shared_ptr<const RelaxedNetwork> of(const Task& task, CostType cost_type, Monitor& monitor);
  /// The same, worked over for those who use it much, and shared from now on: ways with equal preconditions and costs
  /// share an operator, and operators come in the order in which they fire from the initial state, so that neighbours
  /// in time are neighbours in memory.
  static std::shared_ptr<const RelaxedNetwork> in_order(const Task& task, CostType cost_type, Monitor& monitor);

  struct Add {
    Id fact = 0;
    Id way = 0;
  };

  std::size_t operators() const { return costs.size(); }
  std::size_t ways() const { return operator_of.size(); }

  std::size_t facts = 0;
  Lists<Id> preconditions;  // per operator
  Lists<Add> adds;          // per operator
  std::vector<Id> costs;    // per operator
  Lists<Id> readers;        // per fact: the operators that wait for it
  std::vector<Id> free;     // operators without preconditions

  std::vector<Id> operator_of;  // per way; -1: it is of no use
  std::vector<Id> action_of;    // per way; -1 for an axiom
  Lists<Id> achievers;          // per fact: the ways that add it, ascending

  std::vector<Id> action_costs;  // per action
  bool has_free_ways = false;    // some way costs nothing
  bool is_in_order = false;

  std::vector<Id> granted;  // facts that the relaxation takes for true: negations of derived facts
  Lists<Id> negated;        // per variable: its negated facts
};

/// Calls `visit(fact)` for every fact that is true because the variable has the value, unless it is granted anyway.
template <class Visit>
void for_each_true_fact_of(const Task& task, const RelaxedNetwork& network, std::size_t variable, Id value,
                           Visit&& visit) {
  const Variable& changed = task.variables[variable];
  if (!changed.derived() || value == 0) visit(changed.first_fact + value);
  for (Id fact : network.negated[variable])
    if (task.facts[fact].value != value) visit(fact);
}

/// Calls `visit(fact)` once for every fact that is true in the state, or granted.
template <class Visit>
void for_each_true_fact(const Task& task, const RelaxedNetwork& network, const Id* state, Visit&& visit) {
  for (std::size_t v = 0; v < task.variables.size(); ++v) for_each_true_fact_of(task, network, v, state[v], visit);
  for (Id fact : network.granted) visit(fact);
}

}  // namespace banditplan
