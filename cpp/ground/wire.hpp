#pragma once

#include <span>

#include "ground/lifted.hpp"

namespace banditplan {

/// Reads the schemas of a task from a stream of integers, into `task`, whose names and arities are there already:
///
///   task      = actions: (action …), axioms: (axiom …), goal: condition
///   action    = variables, visible, condition, effects: (effect …), cost, terms: (function term … …)
///   effect    = variables, condition, deletes, atom
///   axiom     = variables, atom, condition, stratum
///   variables = count, domain …
///   condition = count, literal …
///   literal   = 2·predicate + negated, term …   (equality is predicate -1)
///   atom      = predicate, term …
///
/// Every list is preceded by its length; `task.actions` and `task.axioms` have their lengths already.
void read_schemas(std::span<const Id> stream, LiftedTask& task);

}  // namespace banditplan
