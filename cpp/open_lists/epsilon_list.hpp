#pragma once

#include "open_lists/greedy_list.hpp"

namespace banditplan {

/// With probability ε any of the states, each as likely; else the smallest h, the oldest first. A state must not
/// come in again.
class EpsilonList : public OpenList {
 public:
  explicit EpsilonList(double epsilon) : epsilon_(epsilon) {}

  void push(Id h, std::int64_t, Id state) override {
    if (places_.size() <= static_cast<std::size_t>(state)) places_.resize(static_cast<std::size_t>(state) + 1, kNone);
    places_[state] = static_cast<Id>(states_.size());
    states_.push_back(state);
    by_h_.push(h, 0, state);
  }

  Id pop(Random& random) override {
    if (states_.empty()) return kNone;
    Id state = kNone;
    if (random.uniform() < epsilon_)
      state = states_[random.below(static_cast<std::uint32_t>(states_.size()))];
    else
      do state = by_h_.pop(random);
      while (places_[state] == kNone);
    remove(state);
    return state;
  }

  void visit_next(const std::function<bool(Id)>& visit) const override {
    by_h_.visit_next([&](Id state) { return places_[state] == kNone || visit(state); });
  }

 private:
  void remove(Id state) {
    const Id last = states_.back();
    states_[places_[state]] = last;
    places_[last] = places_[state];
    places_[state] = kNone;
    states_.pop_back();
  }

  double epsilon_;
  std::vector<Id> states_;
  std::vector<Id> places_;  // per state: where it is in `states_`; kNone: it is not
  GreedyList by_h_;         // with states that have been taken at random, too
};

}  // namespace banditplan
