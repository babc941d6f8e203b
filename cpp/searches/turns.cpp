#include "searches/turns.hpp"

namespace banditplan {

namespace {

std::int64_t resident() { return static_cast<std::int64_t>(resident_memory_kb()); }

}  // namespace

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

Turns::Turns(std::vector<Runner> runners, const SearchRequest& request, Wanted wanted)
    : runners_(std::move(runners)), request_(request), limits_(request.limits), wanted_(wanted) {
  for (Runner& runner : runners_) {
    runner.result.status = Status::paused;
    if (request.observer) runner.observer = request.observer->fork(runner.number);
  }
}

Runner* Turns::run(std::optional<std::int64_t> below) {
  while (true) {
    for (; turn_ < runners_.size(); ++turn_) {
      Runner& runner = runners_[turn_];
      if (runner.ended) continue;
      if (limits_.work && work() >= *limits_.work) return nullptr;
      make_room(runner);
      if (runner.ended) continue;
      take_turn(runner, below);
      const Status status = runner.result.status;
      if (status == Status::paused) continue;
      if (status != Status::exhausted && status != Status::memory_limit) return &runner;
      end(runner);
      if (status == Status::memory_limit && ended()) return &runner;
    }
    if (ended()) return nullptr;
    turn_ = 0;
    goal_ += goal_ / kGrowth;
  }
}

Status Turns::status() const {
  const bool lacked_memory =
      std::ranges::any_of(runners_, [](const Runner& runner) { return runner.result.status == Status::memory_limit; });
  return lacked_memory ? Status::memory_limit : Status::exhausted;
}

// ---- turns

/// The work that the search may have done after its turn.
std::int64_t Turns::goal(const Runner& runner) const { return goal_ / static_cast<std::int64_t>(runner.number + 1); }

std::int64_t Turns::work() const {
  std::int64_t sum = 0;
  for (const Runner& runner : runners_) sum += runner.result.work;
  return sum;
}

void Turns::take_turn(Runner& runner, std::optional<std::int64_t> below) {
  SearchLimits limits = limits_;
  Progress others;
  for (const Runner& other : runners_) {
    if (&other == &runner) continue;
    others.evaluations += other.result.evaluations;
    others.expansions += other.result.expansions;
    if (limits.evaluations) *limits.evaluations -= other.result.inserted;
    if (limits.expansions) *limits.expansions -= other.result.expansions;
  }
  limits.work = goal(runner);
  if (&runner != &runners_.front()) others.best_h = runners_.front().result.best_h;
  const Elsewhere elsewhere(request_.monitor, others);
  request_.monitor.progress = {runner.result.evaluations, runner.result.expansions, runner.result.best_h};
  const std::int64_t kilobytes = resident(), work = runner.result.work;
  try {
    if (!runner.search) {
      SearchRequest request = request_;
      request.observer = runner.observer.get();
      request.below = below ? below : request_.below;
      request.takes_turns = true;
      runner.search = runner.recipe->begin(request, wanted_);
    }
    runner.search->set_limits(limits);
    runner.result = runner.search->next(below);
  } catch (const std::bad_alloc&) {
    runner.result.status = Status::memory_limit;
  }
  runner.last_kilobytes = std::max(resident() - kilobytes, std::int64_t{0});
  runner.last_work = runner.result.work - work;
  if (runner.turns++ > 0) runner.kilobytes += runner.last_kilobytes;
}

// ---- memory

/// Where memory will not do for the turn, the search that has most of it ends: what it leaves takes the others far,
/// while what they would leave takes it hardly farther than it got without a plan. The last one goes on to the limit.
void Turns::make_room(const Runner& runner) {
  if (!request_.monitor.memory_limit_kb || left() == 1) return;
  if (resident() + kSpikes * growth(runner) <= static_cast<std::int64_t>(*request_.monitor.memory_limit_kb)) return;
  Runner& largest = *std::ranges::max_element(runners_, {}, &Runner::kilobytes);
  if (largest.kilobytes == 0 || !request_.monitor.may_free()) return;
  largest.result.status = Status::memory_limit;
  largest.result.plan.clear();  // of an anytime search, which was told
  end(largest);
  largest.observer.reset();
}

/// What the turn will probably add to the memory of the process, by what the turn before has added; nobody knows that
/// of the first two.
std::int64_t Turns::growth(const Runner& runner) const {
  if (runner.turns < 2 || runner.last_work <= 0) return 0;
  const auto share = static_cast<double>(goal(runner) - runner.result.work) / static_cast<double>(runner.last_work);
  return static_cast<std::int64_t>(share * static_cast<double>(runner.last_kilobytes));
}

void Turns::end(Runner& runner) {
  runner.ended = true;
  runner.search.reset();
  runner.kilobytes = 0;
  if (!request_.monitor.memory_limit_kb) return;
  return_free_memory();
  request_.monitor.has_freed();
}

}  // namespace banditplan
