#pragma once

#include <algorithm>

#include "segments.hpp"
#include "states/search_space.hpp"

namespace banditplan {

/// Where a search has its states. In most searches the number of a state is that of what is stored. In a lazy one it is
/// the number of a place, which is a step from another place: what is there is made when its turn comes, several places
/// may turn out to have the same, and most have nothing in the end.
class Places {
 public:
  explicit Places(bool lazy) : lazy_(lazy) {}

  bool lazy() const { return lazy_; }
  /// kNotStored: nothing was made there.
  StoredId stored(StateId place) const {
    return lazy_ ? std::max(stored_[index(place)], kNotStored) : StoredId{static_cast<Id>(place)};
  }
  /// The place that counts, of several.
  StateId place(StoredId stored) const { return lazy_ ? places_[index(stored)] : StateId{static_cast<Id>(stored)}; }

  /// In a lazy search: the next places of the search space.
  void add(std::size_t count) {
    stored_.append(count, [](std::size_t) { return kNotStored; });
  }
  /// What is there was made: the next new state, or one that has a place, which goes on to count.
  void make(StateId place, StoredId stored) {
    stored_[index(place)] = stored;
    if (index(stored) == places_.size()) places_.push_back(place);
  }
  /// From now on this place counts.
  void prefer(StateId place) { places_[index(stored(place))] = place; }

  /// A number, not below 0, that somebody wants to remember of a place as long as nothing was made there; or -1.
  void remember(StateId place, Id number) { stored_[index(place)] = StoredId{kRemembered - number}; }
  Id remembered(StateId place) const { return std::max(kRemembered - static_cast<Id>(stored_[index(place)]), Id{-1}); }

 private:
  static constexpr Id kRemembered = static_cast<Id>(kNotStored) - 1;

  bool lazy_;
  Segments<StoredId> stored_;  // by place; or a number that is remembered, from kRemembered downwards
  Segments<StateId> places_;   // by what is stored
};

}  // namespace banditplan
