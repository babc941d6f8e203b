#include "task/exclusion.hpp"

#include <algorithm>
#include <vector>

namespace banditplan {

bool exclude_each_other(const Task& task, std::span<const Id> facts) {
  constexpr Id kAny = -1;
  std::vector<Id> values(task.variables.size(), kAny);
  for (Id fact : facts) {  // negated ones come last
    const Fact& f = task.facts[fact];
    Id& value = values[f.variable];
    if (value != kAny && (value == f.value) == f.negated) return true;
    if (!f.negated) value = f.value;
  }
  for (std::size_t i = 0; i < task.mutexes.size(); ++i) {
    const auto given = [&](Id fact) { return std::ranges::binary_search(facts, fact); };
    if (std::ranges::count_if(task.mutexes[i], given) > 1) return true;
  }
  return false;
}

}  // namespace banditplan
