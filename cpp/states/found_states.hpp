#pragma once

#include "states/expander.hpp"
#include "states/places.hpp"

namespace banditplan {

/// The states that a search has found, how each is reached, and what makes more of them.
struct FoundStates {
  /// Task and monitor must live as long as this. Of paths, costs of the type are added up if anybody wants to know.
  FoundStates(const Task& task, Monitor& monitor, CostType cost, bool keeps_g, bool lazy)
      : packer(task), expander(task, packer, monitor), store(packer), space(task, cost, keeps_g), places(lazy) {}
  FoundStates(const FoundStates&) = delete;  // its members refer to each other

  const std::uint32_t* words(StateId state) const { return store.words(places.stored(state)); }

  const StatePacker packer;
  Expander expander;
  StateStore store;
  SearchSpace space;
  Places places;
};

}  // namespace banditplan
