#pragma once

#include <cstddef>
#include <vector>

#include "states/search_space.hpp"

namespace banditplan {

/// States that will probably be expanded next, the most probable one first, as a frontier tells them; closed ones are
/// passed over.
class Coming {
 public:
  /// Fills `states`, which must live as long as this, with at most so many, of which there must be one.
  Coming(const SearchSpace& space, std::size_t most, std::vector<StateId>& states)
      : space_(space), states_(states), most_(most), left_(kClosedPerState * most) {
    states_.clear();
  }

  std::size_t most() const { return most_; }
  /// Takes note of a state; whether another one is wanted.
  bool take(StateId state) {
    if (!space_.closed(state)) states_.push_back(state);
    return states_.size() < most_ && --left_ > 0;
  }

 private:
  static constexpr std::size_t kClosedPerState = 8;  // so many are passed over, at the most

  const SearchSpace& space_;
  std::vector<StateId>& states_;
  std::size_t most_;
  std::size_t left_;  // to look at
};

}  // namespace banditplan
