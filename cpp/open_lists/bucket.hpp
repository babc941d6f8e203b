#pragma once

#include <utility>
#include <vector>

#include "ids.hpp"
#include "random.hpp"
#include "states/coming.hpp"
#include "states/expansion.hpp"

namespace banditplan {

/// Which of several states with equal keys comes next: the oldest, the youngest, or any.
enum class Ties { fifo, lifo, random };

/// States with equal keys.
class Bucket {
 public:
  bool empty() const { return next_ == states_.size(); }
  void push(StateId state) { states_.push_back(state); }
  void push(std::span<const Child> children) {
    const std::size_t before = states_.size();
    states_.resize(before + children.size());
    for (std::size_t i = 0; i < children.size(); ++i) states_[before + i] = children[i].state;
  }

  StateId pop(Ties ties, Random& random) {
    if (ties == Ties::fifo) return states_[next_++];
    if (ties == Ties::random)
      std::swap(states_[random.below(static_cast<std::uint32_t>(states_.size()))], states_.back());
    const StateId state = states_.back();
    states_.pop_back();
    return state;
  }

  /// Calls `visit(state)` in the order of their turns, which is anyone's guess with random ties, until it returns
  /// false; whether it never did.
  template <class Visit>
  bool visit_next(Ties ties, Visit&& visit) const {
    for (std::size_t i = 0; i < states_.size() - next_; ++i)
      if (!visit(ties == Ties::fifo ? states_[next_ + i] : states_[states_.size() - 1 - i])) return false;
    return true;
  }
  /// Whether more states are wanted.
  bool tell(Ties ties, Coming& coming) const {
    return visit_next(ties, [&](StateId state) { return coming.take(state); });
  }

 private:
  std::vector<StateId> states_;
  std::size_t next_ = 0;  // before it, all have been taken
};

}  // namespace banditplan
