#pragma once

#include <algorithm>
#include <vector>

#include "searches/observer.hpp"
#include "searches/search.hpp"

namespace banditplan {

/// One of several searches on a task, and what it has done so far.
struct Runner {
  std::size_t number = 0;  // in the race
  SearchPointer recipe;
  std::unique_ptr<SearchObserver> observer = {};
  std::unique_ptr<Searching> search = {};
  SearchResult result = {};
  std::int64_t turns = 0;
  std::int64_t kilobytes = 0;  // by which the process has grown in its turns; not in the first one, where all share
  std::int64_t last_kilobytes = 0, last_work = 0;  // of the last turn
  bool ended = false;
};

/// Whether others need not go on.
inline bool decides(Status status) { return status == Status::solved || status == Status::unsolvable; }

/// The result of the one that decided, or else of the first one, with what all have done.
SearchResult total(const std::vector<const Runner*>& runners, Status status, const Runner* decider);

/// Searches that take turns in one thread, by the work that they do. Within a limit of memory they share what there is:
/// one that lacks it leaves it to the others. Other threads that free memory, too, blur who has how much of it.
class Turns {
 public:
  Turns(std::vector<Runner> runners, const SearchRequest& request, Wanted wanted);

  const std::vector<Runner>& runners() const { return runners_; }
  void set_limits(const SearchLimits& limits) { limits_ = limits; }

  /// Until one of them decides or hits a limit, which is returned, or all have ended: none.
  Runner* run(std::optional<std::int64_t> below);

  bool ended() const { return left() == 0; }
  /// Once all have ended.
  Status status() const;

 private:
  /// What a small task takes, or a tenth of a second.
  static constexpr std::int64_t kFirstGoal = 500'000;
  /// A round adds this part of what was done before: short ones, or the last search would still wait for half of its
  /// share when the time is over.
  static constexpr std::int64_t kGrowth = 4;
  /// A table that grows has its content twice for a moment.
  static constexpr std::int64_t kSpikes = 2;

  std::ptrdiff_t left() const { return std::ranges::count(runners_, false, &Runner::ended); }
  std::int64_t work() const;
  std::int64_t goal(const Runner& runner) const;
  void take_turn(Runner& runner, std::optional<std::int64_t> below);
  void make_room(const Runner& runner);
  std::int64_t growth(const Runner& runner) const;
  void end(Runner& runner);

  std::vector<Runner> runners_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Wanted wanted_;
  std::size_t turn_ = 0;
  std::int64_t goal_ = kFirstGoal;  // the first search stops for the time being when it has done so much work
};

}  // namespace banditplan
