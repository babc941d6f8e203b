#pragma once

#include <vector>

#include "ground/propositional.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Removes what cannot matter: facts that never change or cannot be reached, facts that neither the goal nor
/// anything that helps to reach it reads, effects on such facts, and actions that cannot be applied (`impossible`
/// names those known from elsewhere) or have no effect left. With `keep_irrelevant`, removes only what never changes
/// and actions that cannot be applied.
PropositionalTask simplify(const PropositionalTask& task, const std::vector<bool>& impossible, bool keep_irrelevant,
                           Monitor& monitor);

}  // namespace banditplan
