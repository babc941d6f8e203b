#include "novelty/relaxed_plan_count.hpp"

#include <algorithm>

namespace banditplan {

RelaxedPlanCount::RelaxedPlanCount(const Task& task, Monitor& monitor)
    : task_(task), planner_(task, monitor), changed_(ChangedVariables::of(task, monitor)) {
  for (std::size_t v = 0; v < task.variables.size(); ++v)
    if (task.variables[v].derived()) derived_.push_back(static_cast<Id>(v));
}

RelaxedPlanCount::Record& RelaxedPlanCount::record(Id state) {
  if (records_.size() <= static_cast<std::size_t>(state)) records_.resize(static_cast<std::size_t>(state) + 1);
  return records_[state];
}

Id RelaxedPlanCount::start(Id state, const Id* values, Id goal_count) {
  Record& mine = record(state);
  mine.goal_count = goal_count;
  make_plan(mine, values);
  return mine.plan == kNone ? kDeadEnd : 0;
}

Id RelaxedPlanCount::evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values,
                              Id goal_count) {
  Record& mine = record(state);
  Record& before = records_[parent];
  if (before.plan == kNotMade) make_plan(before, parent_values);
  if (before.plan == kNone) return kDeadEnd;
  if (goal_count < before.goal_count) {
    mine = {.goal_count = goal_count};
    return 0;
  }
  mine = before;
  mine.goal_count = goal_count;
  const auto facts = plans_[mine.plan];
  bool copied = false;
  auto reach = [&](Id variable) {
    if (values[variable] == parent_values[variable]) return;
    const Id fact = task_.variables[variable].first_fact + values[variable];
    const auto found = std::ranges::lower_bound(facts, fact);
    if (found == facts.end() || *found != fact) return;
    const auto index = static_cast<std::size_t>(found - facts.begin());
    const std::uint32_t bit = std::uint32_t{1} << (index % 32);
    if ((reached_[mine.reached + 1 + index / 32] & bit) != 0) return;
    if (!copied) {
      const std::size_t words = 1 + (facts.size() + 31) / 32, end = reached_.size();
      reached_.resize(end + words);
      std::copy_n(reached_.begin() + static_cast<std::ptrdiff_t>(mine.reached), words,
                  reached_.begin() + static_cast<std::ptrdiff_t>(end));
      mine.reached = end;
      copied = true;
    }
    ++reached_[mine.reached];
    reached_[mine.reached + 1 + index / 32] |= bit;
  };
  for (Id variable : changed_->by_action[action]) reach(variable);
  for (Id variable : derived_) reach(variable);
  return static_cast<Id>(reached_[mine.reached]);
}

/// The atoms that the actions of a relaxed plan add and that are not true yet.
void RelaxedPlanCount::make_plan(Record& mine, const Id* values) {
  const RelaxedPlan* const plan = planner_.find(values);
  if (!plan) {
    mine.plan = kNone;
    return;
  }
  std::vector<Id> facts;
  auto add = [&](Id fact) {
    if (fact < task_.negated_facts_begin && !task_.fact_names[fact].empty() && !holds(task_, fact, values))
      facts.push_back(fact);
  };
  for (Id fact : plan->facts()) add(fact);
  for (Id action : plan->actions())
    for (const Effect& effect : task_.effects[action])
      if (effect.condition == 0) add(effect.fact);
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  mine.plan = static_cast<std::uint32_t>(plans_.size());
  mine.reached = reached_.size();
  reached_.resize(reached_.size() + 1 + (facts.size() + 31) / 32);
  plans_.append(facts);
}

}  // namespace banditplan
