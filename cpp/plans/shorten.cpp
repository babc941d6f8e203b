#include "plans/shorten.hpp"

#include <algorithm>

#include "plans/eliminate.hpp"
#include "plans/windows.hpp"

namespace banditplan {

namespace {

std::int64_t cost_of(const Task& task, const std::vector<Id>& plan) {
  std::int64_t cost = 0;
  for (Id action : plan) cost += task.costs[action];
  return cost;
}

}  // namespace

std::vector<Id> shorten(const Task& task, std::vector<Id> plan, std::int64_t work, Monitor& monitor) {
  std::vector<Id> in_order = plan;  // before windows let actions change places
  try {
    Work half(work / 2);
    try {
      eliminate(task, plan, half, monitor);
    } catch (const Spent&) {
    }
    in_order = plan;
    Work rest(work - work / 2 + std::max<std::int64_t>(half.left(), 0));
    for (std::size_t length = plan.size() + 1; plan.size() < length;) {
      improve_windows(task, plan, rest, monitor);
      length = plan.size();
      eliminate(task, plan, rest, monitor);
    }
  } catch (const Spent&) {
  } catch (const Stopped&) {
  }
  const bool better = plan.size() != in_order.size() || cost_of(task, plan) != cost_of(task, in_order);
  return better ? plan : in_order;
}

}  // namespace banditplan
