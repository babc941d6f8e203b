#pragma once

#include "heuristics/exploration.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_plan.hpp"

namespace banditplan {

/// #r of best-first width search (Lipovetzky and Geffner 2017): how many of the facts that a relaxed plan adds have
/// been true since it was made, where the goal count last fell on the path to the state. An evaluator of paths; the
/// goal counts are given.
class RelaxedPlanCount {
 public:
  RelaxedPlanCount(const Task& task, Monitor& monitor);

  Id start(Id state, const Id* values, Id goal_count);
  /// kDeadEnd where a relaxed plan is due and there is none.
  Id evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values, Id goal_count);

  /// How many relaxed plans have been made.
  std::size_t plans() const { return plans_.size(); }
  /// The facts that count in a state.
  std::span<const Id> plan_of(Id state) const { return plans_[records_[state].plan]; }

 private:
  /// Of a state. States that reach nothing new share the facts of their parents.
  struct Record {
    Id goal_count = 0;
    std::uint32_t plan = 0;
    std::size_t reached = 0;  // begin of the reached facts in `reached_`: their number, then their bits
  };

  Id make_plan(Record& record, const Id* values);
  Record& record(Id state);

  const Task& task_;
  std::shared_ptr<const RelaxedNetwork> network_;
  Exploration<Sum> exploration_;
  RelaxedPlan relaxed_plan_;
  Lists<Id> plans_;                     // facts, ascending
  std::vector<Id> derived_;             // variables
  std::vector<Record> records_;         // per state
  std::vector<std::uint32_t> reached_;  // number and bits of sets of reached facts, one after the other
};

}  // namespace banditplan
