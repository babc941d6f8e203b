#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// A fact or its negation, as 2·fact + negated.
using Literal = Id;
constexpr Literal literal(Id fact, bool negated) { return 2 * fact + (negated ? 1 : 0); }
constexpr Id fact_of(Literal literal) { return literal >> 1; }
constexpr bool negated(Literal literal) { return (literal & 1) != 0; }

/// Adds the fact of `what`, or deletes it where `what` is negated, if the condition holds before the action.
/// Where an action adds and deletes the same fact, it is added.
struct GroundEffect {
  Literal what = 0;
  Id condition = 0;  // index into `PropositionalTask::conditions`; 0 is the empty condition
};

/// A ground task whose state is a set of true facts. Facts and actions are in canonical order:
/// by predicate (schema), then by arguments.
struct PropositionalTask {
  std::size_t facts() const { return fact_names.size(); }
  std::size_t actions() const { return action_names.size(); }
  std::size_t axioms() const { return axiom_heads.size(); }

  Lists<Id> fact_names;       // predicate, then objects
  std::vector<bool> derived;  // per fact: computed by axioms
  std::vector<bool> init;     // per fact; derived facts are false
  std::vector<Literal> goal;
  bool solvable = true;  // false: the goal was proved to be unreachable

  Lists<Id> action_names;  // schema, then objects
  Lists<Literal> preconditions;
  Lists<GroundEffect> effects;
  std::vector<Id> costs;

  Lists<Literal> conditions;

  std::vector<Id> axiom_heads;
  Lists<Literal> axiom_bodies;
  std::vector<Id> axiom_strata;
};

}  // namespace banditplan
