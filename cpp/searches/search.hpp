#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

enum class Status {
  solved,
  unsolvable,  // proved
  exhausted,   // nothing left to search, but no proof
  evaluation_limit,
  expansion_limit,
  time_limit,
  memory_limit,
  interrupted,
};

struct SearchLimits {
  std::optional<std::int64_t> evaluations;
  std::optional<std::int64_t> expansions;
};

/// A state with a smaller h than all before it.
struct Improvement {
  std::int64_t evaluations = 0;  // so far, this one included
  Id h = 0;
};

struct SearchResult {
  Status status = Status::exhausted;
  std::vector<Id> plan;  // actions
  std::int64_t evaluations = 0;
  std::int64_t inserted =
      0;  // distinct states in the search space, dead ends included; evaluated ones, unless deferred
  std::int64_t expansions = 0;
  std::int64_t generated = 0;
  std::int64_t dead_ends = 0;
  std::optional<Id> initial_h;  // none: not evaluated, or a dead end
  std::optional<Id> best_h;
  std::vector<Improvement> history;       // of the best h
  std::optional<double> prepare_seconds;  // until all was ready for the first state; none: it never was

  /// Takes the next evaluation into account, kDeadEnd included; true if it is an improvement.
  bool count_evaluation(Id h);
};

/// Does the work, and puts it into the status if that was stopped from outside or memory ran out.
void until_stopped(SearchResult& result, const std::function<void()>& work);

/// A recipe for a search: without a task, comparable, printable, thread-safe.
class Search {
 public:
  virtual ~Search() = default;

  /// Searches until a plan is found, a limit is hit or nothing is left. Never throws `Stopped`: what was done until
  /// then is in the result.
  SearchResult run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor) const;

 protected:
  virtual void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                   SearchResult& result) const = 0;
};

}  // namespace banditplan
