#include "plans/regroup.hpp"

#include <algorithm>

namespace banditplan {

namespace {

/// Per action of the plan: those which must come after it, ascending, perhaps more than once.
std::vector<std::vector<Id>> successors(const Task& task, const std::vector<Id>& plan, Needs& needs, Work& work) {
  std::vector<std::vector<Id>> after(plan.size());
  std::vector<Id> setter(task.variables.size(), -1);            // the last one
  std::vector<std::vector<Id>> readers(task.variables.size());  // since then
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto place = static_cast<Id>(i);
    const std::vector<Id>& read = needs.read(plan[i]);
    work.spend(static_cast<std::int64_t>(read.size()));
    for (Id variable : read) {
      if (setter[variable] >= 0) after[setter[variable]].push_back(place);
      if (readers[variable].empty() || readers[variable].back() != place) readers[variable].push_back(place);
    }
    for (const Effect& effect : task.effects[plan[i]]) {
      const Id variable = task.facts[effect.fact].variable;
      work.spend(static_cast<std::int64_t>(readers[variable].size()) + 1);
      if (setter[variable] >= 0 && setter[variable] != place) after[setter[variable]].push_back(place);
      for (Id reader : readers[variable])
        if (reader != place) after[reader].push_back(place);
      readers[variable].clear();
      setter[variable] = place;
    }
  }
  return after;
}

std::vector<std::vector<Id>> reversed(const std::vector<std::vector<Id>>& after) {
  std::vector<std::vector<Id>> before(after.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    for (Id next : after[i]) before[next].push_back(static_cast<Id>(i));
  return before;
}

}  // namespace

std::vector<Id> regrouped(const Task& task, const std::vector<Id>& plan, From from, Needs& needs, Work& work) {
  std::vector<std::vector<Id>> next = successors(task, plan, needs, work);
  if (from == From::back) next = reversed(next);
  std::vector<Id> waits_for(plan.size(), 0);
  for (const std::vector<Id>& list : next)
    for (Id place : list) ++waits_for[place];
  std::vector<Id> ready;  // the last one goes first
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (waits_for[i] == 0) ready.push_back(static_cast<Id>(i));
  if (from == From::front) std::ranges::reverse(ready);
  std::vector<Id> result;
  while (!ready.empty()) {
    const Id place = ready.back();
    ready.pop_back();
    result.push_back(plan[place]);
    for (Id later : next[place])
      if (--waits_for[later] == 0) ready.push_back(later);
  }
  if (from == From::back) std::ranges::reverse(result);
  return result;
}

}  // namespace banditplan
