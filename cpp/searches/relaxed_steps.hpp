#pragma once

#include "heuristics/relaxed_planner.hpp"

namespace banditplan {

/// A relaxed plan as steps that can really be made (Vidal 2004): one after the other, as long as one of them applies.
/// First comes what takes away least of what the others need.
class RelaxedSteps {
 public:
  static constexpr int kLongestPause = 32;

  RelaxedSteps(const Task& task, Monitor& monitor);

  /// Whether it is time for a plan. After so many in a row that were of no use, so many chances are left out, but never
  /// more than kLongestPause.
  bool due();
  /// Whether the last plan, if it was time for one, led to states that are better than all before.
  void judge(bool useful);

  /// Begins with a plan from the state; of a dead end there is none, and no step.
  void begin(const Id* values);
  /// The next action to be made, in the state to which those before it have led.
  std::optional<Id> next(const Id* values);

 private:
  std::size_t harm(Id action, const Id* values) const;

  const Task& task_;
  RelaxedPlanner planner_;
  Lists<Id> negated_;  // per variable: its negated facts
  int useless_ = 0, pause_ = 0;
  bool is_due_ = false;
  std::vector<Id> left_;             // actions of the plan, those that can be made first come first
  std::vector<std::size_t> needed_;  // per fact: by so many of them
};

}  // namespace banditplan
