#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "states/expansion.hpp"
#include "states/state_store.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

/// How a state is reached.
struct Origin {
  StateId parent = kNoState;
  ActionId action = kNoAction;
};

/// What a search knows of its states besides their values: how each is reached, and whether it was expanded. All open
/// lists of a search share it, and the path of a plan comes from it.
///
/// The parent of a state is always nearer to the initial state by the measure with which the search compares paths, so
/// that paths end there. If that is g, a path may have become shorter than g says, but never longer.
class SearchSpace {
 public:
  /// g adds up costs of the type, if anybody wants to know; else it is 0 everywhere.
  SearchSpace(const Task& task, CostType cost, bool keeps_g)
      : task_(task),
        cost_(cost),
        measure_(!keeps_g                 ? Measure::none
                 : cost == CostType::unit ? Measure::steps
                                          : Measure::costs) {}

  std::size_t size() const { return origins_.size(); }

  /// The next new state.
  void add(const Origin& origin, std::int64_t g) {
    origins_.push_back(origin);
    closed_.push_back(false);
    if (measure_ == Measure::steps) steps_.push_back(static_cast<Id>(g));
    if (measure_ == Measure::costs) costs_.push_back(g);
  }
  /// The next new states, which are all these children of a state.
  void add(StateId parent, std::span<const Child> children) {
    const auto reached_by = [&](std::size_t i) { return Origin{parent, children[i].action}; };
    if (measure_ == Measure::steps)
      steps_.append(children.size(), [&](std::size_t i) { return static_cast<Id>(after(reached_by(i))); });
    if (measure_ == Measure::costs) costs_.append(children.size(), [&](std::size_t i) { return after(reached_by(i)); });
    origins_.append(children.size(), reached_by);
    closed_.resize(closed_.size() + children.size());
  }
  /// A known state is better reached another way.
  void move(StateId state, const Origin& origin, std::int64_t g) {
    origins_[index(state)] = origin;
    set_g(state, g);
  }
  /// The path to its parent changed. Whether that changes its own g.
  bool follow_parent(StateId state) {
    const std::int64_t before = g(state);
    set_g(state, after(origin(state)));
    return g(state) != before;
  }

  const Origin& origin(StateId state) const { return origins_[index(state)]; }
  /// The length or cost of the path; 0 if that is not counted.
  std::int64_t g(StateId state) const {
    switch (measure_) {
      case Measure::none:
        return 0;
      case Measure::steps:
        return steps_[index(state)];
      case Measure::costs:
        return costs_[index(state)];
    }
    return 0;
  }
  /// The g of a state that is reached like that.
  std::int64_t after(const Origin& origin) const {
    if (measure_ == Measure::none) return 0;
    return g(origin.parent) + action_cost(task_, cost_, static_cast<Id>(origin.action));
  }
  /// The actions that lead to the state.
  std::vector<ActionId> path(StateId state) const {
    std::vector<ActionId> actions;
    for (; origin(state).parent != kNoState; state = origin(state).parent) actions.push_back(origin(state).action);
    std::ranges::reverse(actions);
    return actions;
  }

  /// Whether it was expanded, and is not to be expanded again.
  bool closed(StateId state) const { return closed_[index(state)]; }
  void close(StateId state) { closed_[index(state)] = true; }
  void reopen(StateId state) { closed_[index(state)] = false; }

 private:
  /// Steps fit into 32 bits.
  enum class Measure { none, steps, costs };

  void set_g(StateId state, std::int64_t g) {
    if (measure_ == Measure::steps) steps_[index(state)] = static_cast<Id>(g);
    if (measure_ == Measure::costs) costs_[index(state)] = g;
  }

  const Task& task_;
  CostType cost_;
  Measure measure_;
  Segments<Origin> origins_;
  Segments<Id> steps_;            // g, if steps are counted
  Segments<std::int64_t> costs_;  // g, if costs are
  std::vector<bool> closed_;
};

}  // namespace banditplan
