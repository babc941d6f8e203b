#include "searches/best_first.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "heuristics/goal_count.hpp"
#include "searches/closest.hpp"
#include "searches/growth.hpp"
#include "searches/observer.hpp"

namespace banditplan {

namespace {

/// The heuristics of an open list; of one that asks for none, the one that knows nothing.
Columns columns_of(const OpenList& open) {
  Columns columns;
  open.add_to(columns);
  if (columns.heuristics().empty()) columns.add(std::make_shared<Blind>());
  return columns;
}

class BestFirstLoop {
 public:
  BestFirstLoop(const BestFirst& options, const SearchRequest& request, Wanted wanted)
      : options_(options),
        request_(request),
        limits_(request.limits),
        task_(request.task),
        anytime_(wanted == Wanted::better_and_better_plans),
        columns_(columns_of(*options.open)),
        random_(request.seed),
        found_(task_, request.monitor, options.cost, options.reopen != Reopen::never || options.open->uses_g(),
               options.lazy),
        open_(options_.open->bind(columns_, found_.space)),
        evaluation_(task_, request.monitor, columns_, evaluated_how(), found_,
                    [this](Coming& coming) { open_->tell(coming); }),
        growth_(options_, request, anytime_, found_, evaluation_, result_),
        best_(columns_.heuristics().size(), kDeadEnd) {}

  void set_limits(const SearchLimits& limits) { limits_ = limits; }

  /// For the first plan, then for cheaper ones.
  SearchResult next(std::optional<std::int64_t> below) {
    const bool goes_on = std::exchange(goes_on_, false), was_paused = result_.status == Status::paused;
    if (std::exchange(started_, true) && !goes_on && !was_paused) return result_;
    result_.status = Status::exhausted;
    try {
      stopped_ ? stay_stopped() : was_paused ? awake(below) : goes_on ? resume(below) : start();
    } catch (const Stopped& stopped) {
      stop(status_of(stopped.reason));
    } catch (const std::bad_alloc&) {
      stop(Status::memory_limit);
    }
    goes_on_ = result_.status == Status::solved;
    return result_;
  }

 private:
  /// Values are wanted once more where a state waits for its expansion again: a cheaper path leads to that, unless all
  /// lists move what is behind it.
  EvaluationOptions evaluated_how() const {
    const bool expands_again = options_.reopen != Reopen::never && !options_.open->moves_subtrees();
    return {.deferred = options_.defers(),
            .preferred = options_.open->uses_preferred(),
            .keeps_values = options_.defers() || anytime_ || expands_again};
  }

  // ---- the loop

  void start() {
    result_.prepare_seconds = request_.monitor.seconds();
    if (request_.observer) request_.observer->began(*open_, found_);
    nothing_to_do_ = holds(task_, task_.goal, task_.initial_state.data());
    if (nothing_to_do_) return finish(growth_.bound().bound() > 0 ? Status::solved : Status::unsolvable);
    growth_.plant();
    if (!open_children()) return finish(Status::evaluation_limit);
    search();
  }

  /// After a plan: completes the round that found it, and goes on for a plan below the bound.
  void resume(std::optional<std::int64_t> below) {
    result_.plan.clear();
    if (below) growth_.bound().tighten(*below);
    if (nothing_to_do_ || growth_.bound().bound() <= 0) return finish(Status::unsolvable);
    if (!open_children()) return finish(Status::evaluation_limit);
    leave_hopeless();
    search();
  }

  /// After a pause, in which a plan may have been found elsewhere.
  void awake(std::optional<std::int64_t> below) {
    if (below && anytime_) {
      growth_.bound().tighten(*below);
      leave_hopeless();
    }
    search();
  }

  /// There is a new bound: states that cannot lead to plans below it are left out.
  void leave_hopeless() {
    growth_.reopen_stale(*open_);
    open_->discard_if([this](StateId state) { return growth_.hopeless(state); });
  }

  /// A limit came somewhere within a round. A plan that the round has found is told first.
  void stop(Status limit) {
    if (result_.plan.empty()) return finish(limit);
    stopped_ = limit;
    finish(Status::solved);
  }
  void stay_stopped() {
    result_.plan.clear();
    finish(*stopped_);
  }

  void search() {
    while (true) {
      request_.monitor.check();
      if (has_worked_enough()) return finish(Status::paused);
      const StateId state = open_->pop(random_, found_.space);
      if (state == kNoState) return finish(proves() ? Status::unsolvable : Status::exhausted);
      found_.space.close(state);
      if (options_.lazy) {
        const bool goes_on = growth_.make(state);
        if (!result_.plan.empty()) return finish(Status::solved);
        if (!goes_on) {
          open_->discard(state);
          continue;
        }
        if (at_limit(state)) return finish(Status::evaluation_limit);
      }
      if (!worthwhile(state)) {
        open_->discard(state);
        if (request_.observer) request_.observer->visited(state, result_);
        continue;
      }
      if (growth_.is_late_goal(state)) {
        growth_.take_plan(state);
        return finish(Status::solved);
      }
      if (limits_.expansions && result_.expansions >= *limits_.expansions) return finish(Status::expansion_limit);
      if (expand(state)) return finish(Status::solved);
      if (!open_children()) return finish(Status::evaluation_limit);
      if (request_.observer) request_.observer->visited(state, result_);
    }
  }

  /// Whether there is no plan (below the bound) if nothing is left to search.
  bool proves() const {
    const auto safe = [](const HeuristicPointer& heuristic) { return heuristic->safe(); };
    const bool follows = options_.follow && !options_.defers() && (anytime_ || options_.reopen == Reopen::cheaper);
    return options_.open->complete(follows) && std::ranges::all_of(columns_.heuristics(), safe);
  }

  bool has_worked_enough() {
    if (!limits_.work) return false;
    if (effort_ == 0) effort_ = effort();
    return work() >= *limits_.work;
  }
  std::int64_t work() const {
    const std::int64_t made = options_.lazy ? result_.inserted + result_.generated / kStepsPerState : result_.generated;
    return made + effort_ * result_.evaluations;
  }
  std::int64_t effort() const {
    std::int64_t sum = 0;
    for (const HeuristicPointer& heuristic : columns_.heuristics()) sum += heuristic->effort(task_, request_.monitor);
    return sum;
  }

  void finish(Status status) {
    result_.status = status;
    result_.work = work();
    if (status == Status::paused) return;
    try {
      if (status == Status::unsolvable && !growth_.bound().found())
        result_.closest = closest_to_goal(task_, found_, request_.monitor);
      result_.remarks = evaluation_.remarks();
      if (request_.observer) request_.observer->ended(result_);
    } catch (const std::bad_alloc&) {
      // The result is there; who looked on has seen less of it.
    }
  }

  // ---- select

  /// Whether the state is not evaluated for the limit's sake, in a lazy search.
  bool at_limit(StateId state) const {
    return limits_.evaluations && result_.evaluations >= *limits_.evaluations && !evaluation_.evaluated().has(state);
  }

  /// Evaluates the state, if that was deferred; false if it is a dead end, or no plan below the bound goes through it.
  bool worthwhile(StateId state) {
    if (growth_.hopeless(state)) return false;
    if (!options_.defers() || evaluation_.evaluated().has(state)) return true;
    if (options_.lazy) ++result_.inserted;
    const std::span<const Value> row = evaluation_.evaluate_late(state);
    if (count_evaluation(row)) return false;
    open_->revalue(state, row);
    if (request_.observer) request_.observer->revalued(state, row);
    return true;
  }

  // ---- expand

  /// True if a plan was found, which is in the result.
  bool expand(StateId state) {
    ++result_.expansions;
    if (request_.observer) request_.observer->expands(state);
    growth_.expand(state);
    return !result_.plan.empty();
  }

  // ---- evaluate

  /// Gives the children their values, and those that are no dead ends to the open list; false at the limit of
  /// evaluations.
  bool open_children() {
    Expansion& expansion = growth_.expansion();
    const bool all = within_limit(expansion.children);
    evaluation_.evaluate(expansion);
    if (!options_.lazy) count_children(expansion);
    if (!all) return false;
    open_->push(expansion);
    if (request_.observer) request_.observer->expanded(expansion);
    request_.monitor.progress = {result_.evaluations, result_.expansions, result_.best_h};
    return true;
  }

  /// Those that are dead ends are left out.
  void count_children(Expansion& expansion) {
    std::vector<Child>& children = expansion.children;
    const std::size_t columns = expansion.columns, first_followed = growth_.first_followed();
    std::size_t kept = 0;
    std::int64_t improvements = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == first_followed) improvements = improvements_;
      const std::span<const Value> row = expansion.row(i);
      if (children[i].is_new) {
        ++result_.inserted;
        if (!options_.defers() && count_evaluation(row)) continue;
      }
      if (kept < i) {
        children[kept] = children[i];
        std::ranges::copy(row, expansion.values.begin() + static_cast<std::ptrdiff_t>(kept * columns));
      }
      ++kept;
    }
    growth_.judge_followed(first_followed < children.size() && improvements_ > improvements);
    children.resize(kept);
  }

  /// Cuts the children where the limit of evaluations is; whether that was not necessary.
  bool within_limit(std::vector<Child>& children) {
    if (!limits_.evaluations || options_.lazy) return true;
    std::int64_t left = *limits_.evaluations - result_.inserted;
    const auto beyond = std::ranges::find_if(children, [&](const Child& child) { return child.is_new && left-- <= 0; });
    const bool all = beyond == children.end();
    children.erase(beyond, children.end());
    return all;
  }

  /// Takes the next evaluation into account; true if it is a dead end.
  bool count_evaluation(std::span<const Value> row) {
    ++result_.evaluations;
    if (std::ranges::find(row, kDeadEnd) != row.end()) {
      ++result_.dead_ends;
      return true;
    }
    if (result_.evaluations == 1) result_.initial_h = row[0];
    bool improved = false;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] >= best_[c]) continue;
      improved = improved || best_[c] != kDeadEnd;
      best_[c] = row[c];
      if (c > 0) continue;
      result_.best_h = row[0];
      result_.history.push_back({result_.evaluations, row[0]});
    }
    if (improved) {
      ++improvements_;
      open_->improved();
    }
    return false;
  }

  static constexpr std::int64_t kStepsPerState = 8;  // to note so many counts as to make a state

  const BestFirst options_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Task& task_;
  const bool anytime_;
  const Columns columns_;
  std::int64_t effort_ = 0;  // of an evaluation, where the generation of a state is 1; known where work has a limit
  SearchResult result_;
  bool started_ = false;
  bool goes_on_ = false;           // there may be a cheaper plan
  bool nothing_to_do_ = false;     // the initial state is a goal
  std::optional<Status> stopped_;  // the limit that came when there was a plan
  Random random_;
  FoundStates found_;
  std::unique_ptr<Frontier> open_;
  Evaluation evaluation_;
  Growth growth_;
  std::int64_t improvements_ = 0;  // of the least value of a column
  std::vector<Value> best_;        // per column
};

/// A search that has not begun: what it takes to begin may be stopped, too.
class BestFirstSearching : public Searching {
 public:
  BestFirstSearching(const BestFirst& options, const SearchRequest& request, Wanted wanted)
      : options_(options), request_(request), limits_(request.limits), wanted_(wanted) {}

  void set_limits(const SearchLimits& limits) override {
    limits_ = limits;
    if (loop_) loop_->set_limits(limits);
  }

  SearchResult next(std::optional<std::int64_t> below) override {
    SearchResult ended;
    if (!request_.task.solvable) {
      ended.status = Status::unsolvable;
      return ended;
    }
    try {
      if (!loop_) {
        loop_ = std::make_unique<BestFirstLoop>(options_, request_, wanted_);
        loop_->set_limits(limits_);
      }
    } catch (const Stopped& stopped) {
      ended.status = status_of(stopped.reason);
      return ended;
    } catch (const std::bad_alloc&) {
      ended.status = Status::memory_limit;
      return ended;
    }
    return loop_->next(below);
  }

 private:
  const BestFirst options_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Wanted wanted_;
  std::unique_ptr<BestFirstLoop> loop_;
};

}  // namespace

std::unique_ptr<Searching> BestFirst::begin(const SearchRequest& request, Wanted wanted) const {
  return std::make_unique<BestFirstSearching>(*this, request, wanted);
}

}  // namespace banditplan
