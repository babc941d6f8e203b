#pragma once

#include <vector>

#include "ground/propositional.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Removes what cannot matter: facts that never change or cannot be reached, facts that neither the goal nor
/// anything that helps to reach it reads, effects on such facts, and actions that cannot be applied (`impossible`
/// names those known from elsewhere) or have no effect left.
PropositionalTask simplify(const PropositionalTask& task, const std::vector<bool>& impossible, Monitor& monitor);

}  // namespace banditplan
