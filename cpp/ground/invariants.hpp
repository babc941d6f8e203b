#pragma once

#include "ground/propositional.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Sets of facts of which at most one is true in every reachable state, as ascending lists of facts.
///
/// Candidates are lifted, as in Helmert (2009), "Concise finite-domain representations for PDDL planning tasks":
/// a set of predicates whose arguments are either parameters of the invariant, or (one per predicate) counted.
/// A candidate is checked on the ground actions, separately for every instance of its parameters, and refined
/// by a predicate that a failing action deletes. The work is bounded by counting steps, not by a clock,
/// so that the result is the same on every machine.
Lists<Id> find_mutex_groups(const PropositionalTask& task, Monitor& monitor);

}  // namespace banditplan
