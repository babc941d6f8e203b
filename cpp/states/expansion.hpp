#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ids.hpp"

namespace banditplan {

/// A successor that matters: a new state that is no dead end, or a known one that is better reached this way.
struct Child {
  StateId state = kNoState;
  ActionId action = kNoAction;
  bool is_new = true;
  bool again = false;      // a known state that must wait for its expansion once more, expanded before or not
  bool preferred = false;  // the action is recommended in the expanded state, or a relaxed plan led here
};

/// What became of one state that a search expanded: every open list sees all of them. Of the initial state nobody is
/// the parent.
struct Expansion {
  StateId state = kNoState;
  std::vector<Child> children;
  std::vector<Value> values;  // a row per child, or one for all: a value per heuristic of the search
  std::size_t columns = 1;
  bool alike = false;      // whether there is one row for all children, which are new
  bool all_known = false;  // whether rows of known states hold their values, too, and not nothing

  std::span<const Value> row(std::size_t child) const {
    return {values.data() + (alike ? 0 : child * columns), columns};
  }
};

}  // namespace banditplan
