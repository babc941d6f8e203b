#pragma once

#include <algorithm>

#include "segments.hpp"
#include "states/search_space.hpp"

namespace banditplan {

/// Which state is where in the search space. In most searches each state has one place there, with its own number. In a
/// lazy one a place is a step from another: its state is made when its turn comes, several places may turn out to have
/// the same one, and most have none in the end.
class Places {
 public:
  explicit Places(bool lazy) : lazy_(lazy) {}

  bool lazy() const { return lazy_; }
  /// kNoState: none was made.
  StateId state(StateId place) const { return lazy_ ? std::max(states_[index(place)], kNoState) : place; }
  /// Where the state was found; in a lazy search, the place that counts.
  StateId place(StateId state) const { return lazy_ ? places_[index(state)] : state; }

  /// In a lazy search: the next place of the search space.
  void add() { states_.push_back(kNoState); }
  /// The state of the place was made: a new one, the next, or a known one, which keeps the place that counts.
  void make(StateId place, StateId state) {
    states_[index(place)] = state;
    if (index(state) == places_.size()) places_.push_back(place);
  }
  /// A number, not below 0, that somebody wants to remember of a place as long as no state was made there; or -1.
  void remember(StateId place, Id number) { states_[index(place)] = StateId{kRemembered - number}; }
  Id remembered(StateId place) const { return std::max(kRemembered - static_cast<Id>(states_[index(place)]), Id{-1}); }

  /// From now on the place of its state that counts is this one.
  void prefer(StateId place) { places_[index(state(place))] = place; }

 private:
  static constexpr Id kRemembered = static_cast<Id>(kNoState) - 1;

  bool lazy_;
  Segments<StateId> states_;  // by place; or a number that is remembered, from kRemembered downwards
  Segments<StateId> places_;  // by state
};

}  // namespace banditplan
