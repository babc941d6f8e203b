#pragma once

#include <unordered_map>
#include <vector>

#include "ids.hpp"
#include "random.hpp"

namespace banditplan {

/// States in groups, to draw a group and then one of its states, each as likely as the others.
class Groups {
 public:
  bool empty() const { return groups_.empty(); }

  void push(std::uint64_t key, StateId state) {
    if (last_ >= groups_.size() || groups_[last_].key != key) last_ = place_of(key);
    groups_[last_].states.push_back(state);
  }

  /// There must be a state.
  StateId pop(Random& random) {
    const std::size_t place = random.below(static_cast<std::uint32_t>(groups_.size()));
    std::vector<StateId>& states = groups_[place].states;
    StateId& drawn = states[random.below(static_cast<std::uint32_t>(states.size()))];
    const StateId state = drawn;
    drawn = states.back();
    states.pop_back();
    if (states.empty()) remove(place);
    return state;
  }

 private:
  struct Group {
    std::uint64_t key;
    std::vector<StateId> states;
  };

  std::size_t place_of(std::uint64_t key) {
    const auto [place, is_new] = places_.try_emplace(key, groups_.size());
    if (is_new) groups_.push_back({key, {}});
    return place->second;
  }

  void remove(std::size_t place) {
    places_.erase(groups_[place].key);
    if (place + 1 < groups_.size()) {
      groups_[place] = std::move(groups_.back());
      places_[groups_[place].key] = place;
    }
    groups_.pop_back();
  }

  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by key
  std::size_t last_ = 0;  // where the last state went, and often the next one goes, since siblings have the same g
};

}  // namespace banditplan
