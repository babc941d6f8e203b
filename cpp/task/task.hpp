#pragma once

#include <string>
#include <vector>

#include "lists.hpp"
#include "task/shared.hpp"

namespace banditplan {

/// The value of a state from which the goal cannot be reached.
constexpr Value kDeadEnd = std::numeric_limits<Value>::max();

/// A variable takes one of `values` values; its value v is the fact `first_fact` + v.
struct Variable {
  Id first_fact = 0;
  Id values = 0;
  Id layer = -1;  // of a derived variable: the stratum of its axioms; value 0 is true, value 1 is false

  bool derived() const { return layer >= 0; }
};

/// What a fact says: that a variable has a value or, if negated, has another one.
struct Fact {
  Id variable = 0;
  Id value = 0;
  bool negated = false;
};

/// Sets the variable of `fact` to its value if the condition holds before the action.
/// Later effects of an action overrule earlier ones.
struct Effect {
  Id fact = 0;
  Id condition = 0;  // index into `Task::conditions`; 0 is the empty condition
};

/// A ground task with finite-domain variables. The facts of all variables come first, negated facts follow;
/// conditions are sets of facts, ascending, so that nobody needs to know about negation.
struct Task {
  std::size_t actions() const { return action_names.size(); }
  std::size_t axioms() const { return axiom_heads.size(); }

  std::vector<Variable> variables;
  std::vector<Fact> facts;
  Id negated_facts_begin = 0;

  std::vector<Id> initial_state;  // a value per variable; derived variables have been evaluated
  std::vector<Id> goal;           // facts
  bool solvable = true;           // false: the goal was proved to be unreachable, and the rest is empty
  bool unit_cost = true;

  Lists<Id> preconditions;  // per action: facts
  Lists<Effect> effects;    // per action
  std::vector<Id> costs;    // per action
  Lists<Id> conditions;     // facts

  Lists<Id> mutexes;  // sets of facts of which at most one is true; those of a variable are not listed

  std::vector<Id> axiom_heads;  // facts
  Lists<Id> axiom_bodies;       // facts

  // Names, for people.
  std::vector<std::string> objects, predicates, schemas;
  Lists<Id> action_names;  // schema, then objects
  Lists<Id> fact_names;    // predicate, then objects; empty: none of the other values of the variable

  Shared shared;  // what others make of the task

  std::string action_name(Id action) const;
  std::string fact_name(Id fact) const;
};

/// Per variable: its negated facts.
Lists<Id> negated_facts(const Task& task);

inline bool holds(const Task& task, Id fact, const Id* state) {
  const Fact& f = task.facts[fact];
  return (state[f.variable] == f.value) != f.negated;
}

inline bool holds(const Task& task, std::span<const Id> facts, const Id* state) {
  for (Id fact : facts)
    if (!holds(task, fact, state)) return false;
  return true;
}

}  // namespace banditplan
