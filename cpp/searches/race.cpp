#include "searches/race.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "searches/observer.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

namespace {

bool decides(Status status) { return status == Status::solved || status == Status::unsolvable; }

/// One of the searches, and what it has done so far.
struct Runner {
  std::size_t number = 0;  // in the race
  SearchPointer recipe;
  std::unique_ptr<SearchObserver> observer = {};
  std::unique_ptr<Searching> search = {};
  SearchResult result = {};
  std::int64_t kilobytes = 0;  // by which its turns have made the process larger
  bool ended = false;
};

/// The result of the one that decided, or else of the first one, with what all have done.
SearchResult total(const std::vector<const Runner*>& runners, Status status, const Runner* decider) {
  SearchResult sum = (decider ? decider : runners.front())->result;
  sum.status = status;
  sum.evaluations = sum.inserted = sum.expansions = sum.generated = sum.dead_ends = sum.work = 0;
  sum.remarks.clear();
  sum.parts.resize(runners.size());
  if (decider) sum.decided_by = decider->number;
  for (const Runner* runner : runners) {
    const SearchResult& result = runner->result;
    sum.evaluations += result.evaluations;
    sum.inserted += result.inserted;
    sum.expansions += result.expansions;
    sum.generated += result.generated;
    sum.dead_ends += result.dead_ends;
    sum.work += result.work;
    sum.remarks.insert(sum.remarks.end(), result.remarks.begin(), result.remarks.end());
    if (result.prepare_seconds && (!sum.prepare_seconds || *result.prepare_seconds < *sum.prepare_seconds))
      sum.prepare_seconds = result.prepare_seconds;
    sum.parts[runner->number] = {result.status, result.evaluations, result.expansions, result.generated};
  }
  return sum;
}

/// Searches that take turns in one thread.
class Turns {
 public:
  Turns(std::vector<Runner> runners, const SearchRequest& request, Wanted wanted)
      : runners_(std::move(runners)), request_(request), limits_(request.limits), wanted_(wanted) {
    for (Runner& runner : runners_) {
      runner.result.status = Status::paused;
      if (request.observer) runner.observer = request.observer->fork(runner.number);
    }
  }

  const std::vector<Runner>& runners() const { return runners_; }
  void set_limits(const SearchLimits& limits) { limits_ = limits; }

  /// Until one of them decides or hits a limit, which is returned, or all have ended: none. One that lacks memory
  /// leaves it to the others.
  Runner* run(std::optional<std::int64_t> below) {
    while (true) {
      for (; turn_ < runners_.size(); ++turn_) {
        Runner& runner = runners_[turn_];
        if (!runner.ended) make_room(runner);
        if (runner.ended) continue;
        if (limits_.work && work() >= *limits_.work) return nullptr;
        take_turn(runner, below);
        const Status status = runner.result.status;
        if (status == Status::paused) continue;
        if (status == Status::exhausted || status == Status::memory_limit) end(runner);
        if (status == Status::exhausted || (status == Status::memory_limit && !ended())) continue;
        return &runner;
      }
      if (ended()) return nullptr;
      turn_ = 0;
      goal_ += goal_ / kGrowth;
    }
  }

  bool ended() const { return left() == 0; }
  /// Once all have ended.
  Status status() const {
    const bool lacked_memory = std::ranges::any_of(
        runners_, [](const Runner& runner) { return runner.result.status == Status::memory_limit; });
    return lacked_memory ? Status::memory_limit : Status::exhausted;
  }

 private:
  /// What a small task takes, or a tenth of a second.
  static constexpr std::int64_t kFirstGoal = 500'000;
  /// A round adds this part of what was done before: short ones, or the last search would still wait for half of its
  /// share when the time is over.
  static constexpr std::int64_t kGrowth = 4;
  /// A table that grows has its content twice for a moment.
  static constexpr std::int64_t kSpikes = 2;

  std::ptrdiff_t left() const { return std::ranges::count(runners_, false, &Runner::ended); }

  void end(Runner& runner) {
    runner.ended = true;
    runner.search.reset();
    runner.kilobytes = 0;
    return_free_memory();
  }

  /// Where memory will not do for the turn, the search that has most of it ends: what it leaves takes the others far,
  /// while what they would leave takes it hardly farther than it got without a plan. The last one goes on to the limit.
  void make_room(const Runner& runner) {
    if (!request_.monitor.memory_limit_kb) return;
    const auto limit = static_cast<std::int64_t>(*request_.monitor.memory_limit_kb);
    while (!runner.ended && left() > 1 && resident() + kSpikes * growth(runner) > limit) {
      Runner& largest = *std::ranges::max_element(runners_, {}, &Runner::kilobytes);
      if (largest.kilobytes <= 0) return;
      largest.result.status = Status::memory_limit;
      end(largest);
    }
  }

  /// What the turn will probably add to the memory of the process, by what the turns before have added.
  std::int64_t growth(const Runner& runner) const {
    if (runner.kilobytes <= 0 || runner.result.work <= 0) return 0;
    const auto share = static_cast<double>(goal(runner) - runner.result.work) / static_cast<double>(runner.result.work);
    return static_cast<std::int64_t>(share * static_cast<double>(runner.kilobytes));
  }

  static std::int64_t resident() { return static_cast<std::int64_t>(resident_memory_kb()); }

  /// The work that the search may have done after its turn.
  std::int64_t goal(const Runner& runner) const { return goal_ / static_cast<std::int64_t>(runner.number + 1); }

  void take_turn(Runner& runner, std::optional<std::int64_t> below) {
    SearchLimits left = limits_;
    Progress others;
    for (const Runner& other : runners_) {
      if (&other == &runner) continue;
      others.evaluations += other.result.evaluations;
      others.expansions += other.result.expansions;
      if (left.evaluations) *left.evaluations -= other.result.inserted;
      if (left.expansions) *left.expansions -= other.result.expansions;
    }
    left.work = goal(runner);
    if (!runner.search) {
      SearchRequest request = request_;
      request.observer = runner.observer.get();
      request.below = below ? below : request_.below;
      request.takes_turns = true;
      runner.search = runner.recipe->begin(request, wanted_);
    }
    runner.search->set_limits(left);
    if (&runner != &runners_.front()) others.best_h = runners_.front().result.best_h;
    const Elsewhere elsewhere(request_.monitor, others);
    request_.monitor.progress = {runner.result.evaluations, runner.result.expansions, runner.result.best_h};
    const std::int64_t before = resident();
    runner.result = runner.search->next(below);
    runner.kilobytes += resident() - before;
  }

  std::int64_t work() const {
    std::int64_t sum = 0;
    for (const Runner& runner : runners_) sum += runner.result.work;
    return sum;
  }

  std::vector<Runner> runners_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Wanted wanted_;
  std::size_t turn_ = 0;
  std::int64_t goal_ = kFirstGoal;  // the first search stops for the time being when it has done so much work
};

std::vector<const Runner*> pointers(const std::vector<Runner>& runners) {
  std::vector<const Runner*> all;
  for (const Runner& runner : runners) all.push_back(&runner);
  return all;
}

class RaceInTurns : public Searching {
 public:
  RaceInTurns(const Race& race, const SearchRequest& request, Wanted wanted)
      : turns_(runners_of(race), request, wanted), request_(request) {}

  void set_limits(const SearchLimits& limits) override { turns_.set_limits(limits); }

  SearchResult next(std::optional<std::int64_t> below) override {
    if (ended_) return result_;
    if (below) best_ = std::min(best_.value_or(*below), *below);
    Runner* const runner = turns_.run(best_);
    const Status status = runner ? runner->result.status : turns_.ended() ? turns_.status() : Status::paused;
    result_ = total(pointers(turns_.runners()), status, runner && decides(status) ? runner : nullptr);
    ended_ = status != Status::solved && status != Status::paused;
    if (status == Status::solved) best_ = plan_cost(request_.task, result_.plan);
    if (request_.observer && runner) request_.observer->take_over(*runner->observer);
    return result_;
  }

  static std::vector<Runner> runners_of(const Race& race) {
    std::vector<Runner> runners;
    for (const auto& search : race.searches) runners.push_back({.number = runners.size(), .recipe = search});
    return runners;
  }

 private:
  Turns turns_;
  const SearchRequest request_;
  SearchResult result_;
  std::optional<std::int64_t> best_;  // cost of a plan
  bool ended_ = false;
};

/// Several threads, each with some of the searches.
class RaceInThreads : public Searching {
 public:
  RaceInThreads(const Race& race, const SearchRequest& request)
      : request_(request), limits_(request.limits), runners_(RaceInTurns::runners_of(race)) {
    lanes_.resize(std::min(index(race.threads), runners_.size()));
    for (Lane& lane : lanes_) lane.runners.reserve(runners_.size());
  }

  void set_limits(const SearchLimits& limits) override { limits_ = limits; }

  SearchResult next(std::optional<std::int64_t>) override {
    if (std::exchange(started_, true)) return result_;
    std::optional<Stop> stopped;
    {
      std::vector<std::thread> threads;
      threads.reserve(lanes_.size());
      start(threads);
      try {
        wait();
      } catch (const Stopped& stop) {
        stopped = stop.reason;
      }
      stop_ = true;
      for (std::thread& thread : threads) thread.join();
    }
    for (const Lane& lane : lanes_)
      if (lane.error) std::rethrow_exception(lane.error);
    finish(stopped);
    return result_;
  }

 private:
  struct Lane {
    std::vector<Runner> runners;  // until it starts
    std::unique_ptr<Turns> turns;
    Monitor monitor;
    Progress progress;
    Runner* last = nullptr;  // that decided, or hit a limit
    std::exception_ptr error;
    bool ended = false;
  };

  /// One for each lane, or as many as the system gives; then there are fewer lanes. They wait until all have searches.
  void start(std::vector<std::thread>& threads) {
    const std::lock_guard lock(mutex_);
    try {
      for (std::size_t number = 0; number < lanes_.size(); ++number) {
        std::vector<char>().reserve(kThread);  // throws; the C library would end the process if a thread had too little
        threads.emplace_back([this, number] { run(number); });
      }
    } catch (const std::system_error&) {
      if (threads.empty()) throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
      if (threads.empty()) throw;
    }
    lanes_.resize(threads.size());
    for (Runner& runner : runners_) lanes_[runner.number % lanes_.size()].runners.push_back(std::move(runner));
  }

  void run(std::size_t number) {
    std::unique_lock waits(mutex_);
    Lane& lane = lanes_[number];
    waits.unlock();
    try {
      lane.monitor.deadline = request_.monitor.deadline;
      lane.monitor.memory_limit_kb = request_.monitor.memory_limit_kb;
      lane.monitor.poll = [this, &lane](const Progress& progress) {
        const std::lock_guard lock(mutex_);
        lane.progress = progress;
        return !stop_;
      };
      SearchRequest request{request_.task, lane.monitor, share(), request_.seed, request_.observer, {}};
      lane.turns = std::make_unique<Turns>(std::move(lane.runners), request, Wanted::any_plan);
      lane.last = lane.turns->run({});
    } catch (...) {
      lane.error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    lane.ended = true;
    if (lane.error || (lane.last && decides(lane.last->result.status) && !first_)) {
      first_ = &lane;
      stop_ = true;
    }
    changed_.notify_one();
  }

  /// Of the limits, for one thread: which search gets how far depends on the machine anyway.
  SearchLimits share() const {
    SearchLimits limits = limits_;
    const auto lanes = static_cast<std::int64_t>(lanes_.size());
    if (limits.evaluations) *limits.evaluations /= lanes;
    if (limits.expansions) *limits.expansions /= lanes;
    return limits;
  }

  /// Until one of the threads decides, or all have ended; looks at the outside meanwhile. The threads look at the
  /// memory.
  void wait() {
    using namespace std::chrono_literals;
    Monitor outside = request_.monitor;
    outside.memory_limit_kb.reset();
    std::unique_lock lock(mutex_);
    while (!first_ && !std::ranges::all_of(lanes_, &Lane::ended)) {
      changed_.wait_for(lock, 5ms);
      outside.progress = {};
      for (const Lane& lane : lanes_) {
        outside.progress.evaluations += lane.progress.evaluations;
        outside.progress.expansions += lane.progress.expansions;
      }
      outside.progress.best_h = lanes_.front().progress.best_h;
      lock.unlock();
      outside.check();
      lock.lock();
    }
  }

  void finish(std::optional<Stop> stopped) {
    std::vector<const Runner*> runners;
    const Runner* last = nullptr;
    for (const Lane& lane : lanes_) {
      for (const Runner& runner : lane.turns->runners()) runners.push_back(&runner);
      if (!last) last = lane.last;
    }
    std::ranges::sort(runners, {}, &Runner::number);
    const Runner* const decider = first_ ? first_->last : nullptr;
    const Status status = decider   ? decider->result.status
                          : stopped ? status_of(*stopped)
                          : last    ? last->result.status
                                    : status_of_all();
    result_ = total(runners, status, decider);
    if (request_.observer && (decider || last)) request_.observer->take_over(*(decider ? decider : last)->observer);
  }

  /// Once all lanes have ended with nothing left to search.
  Status status_of_all() const {
    const auto lacked_memory = [](const Lane& lane) { return lane.turns->status() == Status::memory_limit; };
    return std::ranges::any_of(lanes_, lacked_memory) ? Status::memory_limit : Status::exhausted;
  }

  static constexpr std::size_t kThread = 32 << 20;  // bytes: a stack, and what the thread needs at once

  const SearchRequest request_;
  SearchLimits limits_;
  std::vector<Runner> runners_;  // until they have lanes
  std::vector<Lane> lanes_;
  bool started_ = false;
  SearchResult result_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stop_ = false;
  Lane* first_ = nullptr;  // that decided
};

}  // namespace

std::unique_ptr<Searching> Race::begin(const SearchRequest& request, Wanted wanted) const {
  if (threads == 1 || searches.size() == 1 || request.takes_turns || wanted == Wanted::better_and_better_plans)
    return std::make_unique<RaceInTurns>(*this, request, wanted);
  return std::make_unique<RaceInThreads>(*this, request);
}

}  // namespace banditplan
