#pragma once

#include "ground/lifted.hpp"
#include "ground/propositional.hpp"
#include "ground/reachability.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Thrown when an action's cost refers to a function value that the initial state does not give.
struct MissingCost {
  Id function;
  std::vector<Id> arguments;
};

/// Writes out the reachable facts, actions and axioms. The instances in `reachable` are used up.
PropositionalTask instantiate(const LiftedTask& task, Reachable reachable, Monitor& monitor);

}  // namespace banditplan
