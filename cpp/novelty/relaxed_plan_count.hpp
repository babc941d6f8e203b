#pragma once

#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_planner.hpp"
#include "task/changes.hpp"

namespace banditplan {

/// #r of best-first width search (Lipovetzky and Geffner 2017): how many of the facts that a relaxed plan adds have
/// been true since the goal count last fell on the path to the state; the plan is that of the state where it fell. It
/// is made for the first child of that state: most states never have one. An evaluator of paths; the goal counts are
/// given.
class RelaxedPlanCount {
 public:
  RelaxedPlanCount(const Task& task, Monitor& monitor);

  /// kDeadEnd where there is no relaxed plan.
  Id start(Id state, const Id* values, Id goal_count);
  /// kDeadEnd where the parent has no relaxed plan.
  Id evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values, Id goal_count);

  /// How many relaxed plans have been made.
  std::size_t plans() const { return plans_.size(); }
  /// The facts that count in a state that has a child.
  std::span<const Id> plan_of(Id state) const { return plans_[records_[state].plan]; }

 private:
  static constexpr std::uint32_t kNotMade = 0xffffffff, kNone = 0xfffffffe;  // plans

  /// Of a state. States that reach nothing new share the facts of their parents.
  struct Record {
    Id goal_count = 0;
    std::uint32_t plan = kNotMade;
    std::size_t reached = 0;  // begin of the reached facts in `reached_`: their number, then their bits
  };

  void make_plan(Record& record, const Id* values);
  Record& record(Id state);

  const Task& task_;
  RelaxedPlanner planner_;
  std::shared_ptr<const ChangedVariables> changed_;
  Lists<Id> plans_;                     // facts, ascending
  std::vector<Id> derived_;             // variables
  std::vector<Record> records_;         // per state
  std::vector<std::uint32_t> reached_;  // number and bits of sets of reached facts, one after the other
};

}  // namespace banditplan
