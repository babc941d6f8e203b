#include "plans/shorten.hpp"

#include <algorithm>

#include "plans/eliminate.hpp"
#include "plans/windows.hpp"

namespace banditplan {

std::vector<Id> shorten(const Task& task, std::vector<Id> plan, std::int64_t work, Monitor& monitor) {
  try {
    Work half(work / 2);
    try {
      eliminate(task, plan, half, monitor);
    } catch (const Spent&) {
    }
    Work rest(work - work / 2 + std::max<std::int64_t>(half.left(), 0));
    for (std::size_t length = plan.size() + 1; plan.size() < length;) {
      improve_windows(task, plan, rest, monitor);
      length = plan.size();
      eliminate(task, plan, rest, monitor);
    }
  } catch (const Spent&) {
  } catch (const Stopped&) {
  }
  return plan;
}

}  // namespace banditplan
