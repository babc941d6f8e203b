#pragma once

#include <algorithm>
#include <limits>

#include "segments.hpp"
#include "states/search_space.hpp"

namespace banditplan {

/// What paths cost in the task's own costs, and the cost of the best plan, of an anytime search.
///
/// When nothing is left to search, no plan is cheaper: a state is left out only if every plan through it costs as much
/// as the bound; and whenever a path to a state gets cheaper, the state is expanded again (`stale` ones, which were
/// expanded before there was a bound, when it comes).
class PathBound {
 public:
  using Cost = std::int64_t;
  static constexpr Cost kNone = std::numeric_limits<Cost>::max();

  explicit PathBound(const Task& task) : actions_(task.costs) {
    for (Id cost : actions_) cheapest_ = std::min<Cost>(cheapest_, cost);
  }

  bool found() const { return bound_ != kNone; }
  Cost bound() const { return bound_; }
  void tighten(Cost bound) { bound_ = std::min(bound_, bound); }

  /// What a path costs that ends like that.
  Cost after(const Origin& origin) const { return cost(origin.parent) + actions_[index(origin.action)]; }
  Cost cost(StateId state) const { return costs_[index(state)]; }
  /// Whether a plan below the bound may begin with a path of that cost that does not reach the goal.
  bool promising(Cost cost) const { return cost < bound_ - cheapest_; }

  /// The next new state.
  void add(Cost cost) { costs_.push_back(cost); }
  /// The state has a path of that cost; true if it is cheaper than the one before.
  bool lower(StateId state, Cost cost) {
    const bool cheaper = cost < costs_[index(state)];
    if (cheaper) costs_[index(state)] = cost;
    return cheaper;
  }

 private:
  const std::vector<Id>& actions_;
  Cost cheapest_ = kNone;  // of the actions: what is missing to the goal at the least
  Cost bound_ = kNone;
  Segments<Cost> costs_;  // per state
};

}  // namespace banditplan
