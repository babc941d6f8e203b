#include "searches/search.hpp"

#include <algorithm>
#include <new>

#include "heuristics/heuristic.hpp"

namespace banditplan {

namespace {

Status status_of(Stop reason) {
  switch (reason) {
    case Stop::time:
      return Status::time_limit;
    case Stop::memory:
      return Status::memory_limit;
    case Stop::interrupt:
      return Status::interrupted;
  }
  return Status::interrupted;
}

}  // namespace

void until_stopped(SearchResult& result, const std::function<void()>& work) {
  try {
    work();
  } catch (const Stopped& stopped) {
    result.status = status_of(stopped.reason);
  } catch (const std::bad_alloc&) {
    result.status = Status::memory_limit;
  }
}

bool SearchResult::count_evaluation(Id h) {
  ++evaluations;
  if (h == kDeadEnd) {
    ++dead_ends;
    return false;
  }
  if (evaluations == 1) initial_h = h;
  if (best_h && h >= *best_h) return false;
  best_h = h;
  history.push_back({evaluations, h});
  return true;
}

SearchResult Search::run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor) const {
  SearchResult result;
  if (!task.solvable) {
    result.status = Status::unsolvable;
    return result;
  }
  until_stopped(result, [&] { run(task, limits, seed, monitor, result); });
  result.inserted = std::max(result.inserted, result.evaluations);
  return result;
}

}  // namespace banditplan
