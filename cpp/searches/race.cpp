#include "searches/race.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "searches/turns.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

namespace {

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
      lane.monitor.frees_memory = &frees_memory_;
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
      if (lane.last && (!last || last->result.status == Status::memory_limit)) last = lane.last;
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
  std::atomic<bool> frees_memory_ = false;  // one of the threads
  Lane* first_ = nullptr;                   // that decided
};

}  // namespace

std::unique_ptr<Searching> Race::begin(const SearchRequest& request, Wanted wanted) const {
  if (threads == 1 || searches.size() == 1 || request.takes_turns || wanted == Wanted::better_and_better_plans)
    return std::make_unique<RaceInTurns>(*this, request, wanted);
  return std::make_unique<RaceInThreads>(*this, request);
}

}  // namespace banditplan
