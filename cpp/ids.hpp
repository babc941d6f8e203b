#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace banditplan {

/// Objects, predicates, facts, actions … are all named by dense 32-bit ids.
using Id = std::int32_t;

/// In a search, where ids of several kinds and values meet, each kind has a type of its own.
enum class StateId : Id {};   // of a search, in the order of discovery, the initial state first; or of a place for one
enum class StoredId : Id {};  // of a packed state in a store, in the order of insertion
enum class ActionId : Id {};  // of a ground task
enum class NodeId : Id {};    // of a search tree

constexpr StateId kNoState{-1};
constexpr StoredId kNotStored{-1};
constexpr ActionId kNoAction{-1};
constexpr NodeId kNoNode{-1};

/// So many states or nodes can be told apart.
constexpr std::size_t kMostIds = std::numeric_limits<Id>::max();

template <class Name>
constexpr std::size_t index(Name id) {
  return static_cast<std::size_t>(id);
}

/// What a heuristic says of a state.
using Value = std::int32_t;

}  // namespace banditplan
