#pragma once

#include "ground/lifted.hpp"
#include "ground/propositional.hpp"
#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// The actions that no reachable state allows, because they need two facts of one mutex group, or a fact of a
/// group of which none is true at first.
std::vector<bool> find_mutex_violations(const PropositionalTask& task, const Lists<Id>& groups, Monitor& monitor);

/// Puts the facts into finite-domain variables, the largest groups first; the rest become binary variables. `facts`, if
/// given, gets the fact of the result for each of the given ones.
Task encode(PropositionalTask propositional, const Lists<Id>& groups, const LiftedTask& lifted, Monitor& monitor,
            std::vector<Id>* facts = nullptr);

}  // namespace banditplan
