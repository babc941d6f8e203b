#pragma once

#include <cstdint>
#include <span>

#include "task/task.hpp"

namespace banditplan {

/// What an action costs inside a heuristic or a search.
enum class CostType {
  unit,     // 1
  plan,     // its cost in the task
  plusone,  // its cost in the task and 1, unless all cost 1 anyway
};

inline std::int64_t action_cost(const Task& task, CostType type, Id action) {
  switch (type) {
    case CostType::unit:
      return 1;
    case CostType::plan:
      return task.costs[action];
    case CostType::plusone:
      return task.unit_cost ? 1 : std::int64_t{task.costs[action]} + 1;
  }
  return 1;
}

/// In the task's own costs.
inline std::int64_t plan_cost(const Task& task, std::span<const Id> plan) {
  std::int64_t sum = 0;
  for (Id action : plan) sum += task.costs[static_cast<std::size_t>(action)];
  return sum;
}

}  // namespace banditplan
