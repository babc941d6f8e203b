#include "searches/relaxed_steps.hpp"

#include <algorithm>
#include <utility>

#include "task/successors.hpp"

namespace banditplan {

RelaxedSteps::RelaxedSteps(const Task& task, Monitor& monitor)
    : task_(task), planner_(task, monitor), negated_(negated_facts(task)), needed_(task.facts.size(), 0) {}

bool RelaxedSteps::due() {
  is_due_ = pause_ == 0;
  if (!is_due_) --pause_;
  return is_due_;
}

void RelaxedSteps::judge(bool useful) {
  if (!std::exchange(is_due_, false)) return;
  useless_ = useful ? 0 : std::min(useless_ + 1, kLongestPause);
  pause_ = useless_;
}

void RelaxedSteps::begin(const Id* values) {
  for (Id action : left_)
    for (Id fact : task_.preconditions[action]) needed_[fact] = 0;
  left_.clear();
  const RelaxedPlan* const plan = planner_.find(values);
  if (!plan) return;
  left_ = plan->actions();
  const auto begins = [&](Id action) {
    Id latest = 0;
    for (Id fact : task_.preconditions[action]) latest = std::max(latest, planner_.cost(fact));
    return latest;
  };
  std::ranges::sort(left_);
  std::ranges::stable_sort(left_, {}, begins);
  for (Id action : left_)
    for (Id fact : task_.preconditions[action]) ++needed_[fact];
}

std::optional<Id> RelaxedSteps::next(const Id* values) {
  auto best = left_.end();
  std::size_t least = 0;
  for (auto each = left_.begin(); each != left_.end(); ++each) {
    if (!holds(task_, task_.preconditions[*each], values)) continue;
    const std::size_t harms = harm(*each, values);
    if (best != left_.end() && harms >= least) continue;
    best = each;
    least = harms;
    if (harms == 0) break;
  }
  if (best == left_.end()) return {};
  const Id action = *best;
  for (Id fact : task_.preconditions[action]) --needed_[fact];
  left_.erase(best);
  return action;
}

/// How many preconditions of other steps the action makes false.
std::size_t RelaxedSteps::harm(Id action, const Id* values) const {
  std::size_t sum = 0;
  for_each_change(task_, action, values, [&](Id variable, Id value) {
    if (values[variable] == value) return;
    const auto lose = [&](Id fact) {
      sum += needed_[fact] - static_cast<std::size_t>(std::ranges::count(task_.preconditions[action], fact));
    };
    lose(task_.variables[static_cast<std::size_t>(variable)].first_fact + values[variable]);
    for (Id fact : negated_[static_cast<std::size_t>(variable)])
      if (task_.facts[fact].value == value) lose(fact);
  });
  return sum;
}

}  // namespace banditplan
