#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

class SearchObserver;

enum class Status {
  solved,
  unsolvable,  // proved
  exhausted,   // nothing left to search, but no proof
  evaluation_limit,
  expansion_limit,
  time_limit,
  memory_limit,
  interrupted,
  paused,  // so much work was done as was asked for; the search can go on
};

inline Status status_of(Stop reason) {
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

struct SearchLimits {
  std::optional<std::int64_t> evaluations = {};
  std::optional<std::int64_t> expansions = {};
  std::optional<std::int64_t> work = {};  // see SearchResult
};

/// What every search is given. What it refers to must outlive the search.
struct SearchRequest {
  const Task& task;
  Monitor& monitor;
  SearchLimits limits = {};
  std::uint64_t seed = 0;
  SearchObserver* observer = nullptr;
  std::optional<std::int64_t> below = {};  // of an anytime search: only plans that cost less are of interest
  bool takes_turns = false;                // with others in its thread: it may be asked to pause
};

/// A state with a smaller h than all before it.
struct Improvement {
  std::int64_t evaluations = 0;  // so far, this one included
  Value h = 0;
};

/// What one of several searches that ran side by side has done.
struct Part {
  Status status = Status::paused;
  std::int64_t evaluations = 0;
  std::int64_t expansions = 0;
  std::int64_t generated = 0;
};

/// The state in which most of the goal holds, the first of several.
struct Closest {
  std::size_t goals = 0;
  std::vector<Id> missing;  // facts of the goal
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
  std::optional<Value> initial_h;  // none: not evaluated, or a dead end; of the first heuristic, if there are several
  std::optional<Value> best_h;
  std::vector<Improvement> history;       // of the best h
  std::optional<Closest> closest;         // of all states, if there is no plan and that is proved
  std::vector<std::string> remarks;       // of heuristics: what a bound on memory has cost
  std::optional<double> prepare_seconds;  // until all was ready for the first state; none: it never was
  std::int64_t work = 0;                  // what it took, roughly: the same on every machine, unlike time
  std::vector<Part> parts;                // of a race
  std::optional<std::size_t> decided_by;  // of a race: the number of the search that found the plan, or the proof
};

/// A search under way.
class Searching {
 public:
  virtual ~Searching() = default;

  /// Searches until a plan is found, a limit is hit or nothing is left. Never throws `Stopped`: what was done until
  /// then is in the result. An anytime search can be asked again, for a plan that costs less than all before and than
  /// `below`; `unsolvable` then means: there is none, that is proved. Counters and limits are those of the whole
  /// search; once it has ended without a plan, it stays so.
  virtual SearchResult next(std::optional<std::int64_t> below = {}) = 0;
  /// For the calls of `next` that follow, in place of those of the request. A search that was `paused` goes on.
  virtual void set_limits(const SearchLimits& limits) = 0;
};

enum class Wanted { any_plan, better_and_better_plans };

/// A recipe for a search: without a task, comparable, printable, thread-safe.
class Search {
 public:
  virtual ~Search() = default;

  virtual std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const = 0;
  SearchResult run(const SearchRequest& request) const { return begin(request, Wanted::any_plan)->next(); }
};

using SearchPointer = std::shared_ptr<const Search>;

}  // namespace banditplan
