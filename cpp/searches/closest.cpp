#include "searches/closest.hpp"

#include <algorithm>
#include <iterator>

namespace banditplan {

std::optional<Closest> closest_to_goal(const Task& task, FoundStates& found, Monitor& monitor) {
  std::vector<Id> values(task.variables.size());
  StoredId best = kNotStored;
  std::size_t most = 0;
  const auto reached = [&](Id fact) { return holds(task, fact, values.data()); };
  try {
    for (std::size_t number = 0; number < found.store.size(); ++number) {
      monitor.check_short();
      const StoredId state{static_cast<Id>(number)};
      found.expander.load(found.store.words(state), values.data());
      const auto goals = static_cast<std::size_t>(std::ranges::count_if(task.goal, reached));
      if (best != kNotStored && goals <= most) continue;
      best = state;
      most = goals;
    }
  } catch (const Stopped&) {
    return {};
  }
  if (best == kNotStored) return {};
  found.expander.load(found.store.words(best), values.data());
  Closest closest{most, {}};
  std::ranges::remove_copy_if(task.goal, std::back_inserter(closest.missing), reached);
  return closest;
}

}  // namespace banditplan
