#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// A term of a lifted atom: a variable of its schema (>= 0) or an object (negative, as ~object).
using Term = Id;
constexpr bool is_variable(Term term) { return term >= 0; }
constexpr Id object_of(Term term) { return ~term; }

/// The predicate id of (in)equalities.
constexpr Id kEquality = -1;

struct LiftedAtom {
  Id predicate = 0;
  std::vector<Term> arguments;
};

struct LiftedLiteral {
  LiftedAtom atom;
  bool negated = false;
};

/// One effect of a schema. Its variables are those of the schema followed by its own, `variables`.
struct LiftedEffect {
  std::vector<Id> variables;  // the domain of each further variable
  std::vector<LiftedLiteral> condition;
  LiftedAtom atom;
  bool deletes = false;
};

/// A cost that depends on the arguments: a static function, given as a table.
struct CostTerm {
  Id function = 0;
  std::vector<Term> arguments;
};

struct ActionSchema {
  std::string name;
  std::vector<Id> variables;  // the domain of each parameter
  std::size_t visible = 0;    // parameters that belong to the action's name; the rest are existential
  std::vector<LiftedLiteral> precondition;
  std::vector<LiftedEffect> effects;
  Id cost = 0;
  std::vector<CostTerm> cost_terms;
};

/// head holds where body holds; `stratum` orders the evaluation of negation.
struct AxiomSchema {
  std::vector<Id> variables;
  LiftedAtom head;
  std::vector<LiftedLiteral> body;
  Id stratum = 0;
};

struct PredicateInfo {
  std::string name;
  Id arity = 0;
};

/// A normalised task before grounding: conditions are conjunctions of literals.
struct LiftedTask {
  std::vector<std::string> objects;
  std::vector<std::vector<Id>> domains;  // objects of each type (or union of types), ascending
  std::vector<PredicateInfo> predicates;
  std::vector<ActionSchema> actions;
  std::vector<AxiomSchema> axioms;
  std::vector<LiftedLiteral> goal;
  std::vector<std::vector<Id>> init;       // per predicate: the arguments of its true atoms, back to back
  std::vector<std::vector<Id>> functions;  // per function: arguments and value of each entry, back to back
  std::vector<Id> function_arities;
  bool unit_cost = true;
};

}  // namespace banditplan
