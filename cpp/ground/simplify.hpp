#pragma once

#include <vector>

#include "ground/propositional.hpp"
#include "monitor.hpp"

namespace banditplan {

/// What becomes of a fact: it stays, or is removed because it is always true, never true, or does not matter.
enum class Fate : std::uint8_t { kept, always, never, irrelevant };

/// The fates of a task's facts, and the new numbers of those that are kept (-1: it is not).
struct Fates {
  std::vector<Fate> fates;
  std::vector<Id> numbers;
};

/// Removes what cannot matter: facts that never change or cannot be reached, facts that neither the goal nor
/// anything that helps to reach it reads, effects on such facts, and actions that cannot be applied (`impossible`
/// names those known from elsewhere) or have no effect left. With `keep_irrelevant`, removes only what never changes
/// and actions that cannot be applied. `fates`, if given, gets what becomes of the facts.
PropositionalTask simplify(const PropositionalTask& task, const std::vector<bool>& impossible, bool keep_irrelevant,
                           Monitor& monitor, Fates* fates = nullptr);

}  // namespace banditplan
