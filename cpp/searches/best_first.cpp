#include "searches/best_first.hpp"

#include <algorithm>
#include <new>

#include "evaluation/evaluation.hpp"
#include "heuristics/goal_count.hpp"
#include "searches/observer.hpp"
#include "searches/path_bound.hpp"

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

/// The heuristics of an open list; of one that asks for none, the one that knows nothing.
Columns columns_of(const OpenList& open) {
  Columns columns;
  open.add_to(columns);
  if (columns.heuristics().empty()) columns.add(std::make_shared<Blind>());
  return columns;
}

class BestFirstLoop : public Searching {
 public:
  BestFirstLoop(const BestFirst& options, const SearchRequest& request, Wanted wanted)
      : options_(options),
        request_(request),
        task_(request.task),
        anytime_(wanted == Wanted::better_and_better_plans),
        tests_goal_late_(options.goal == GoalTest::expanded && !anytime_),
        columns_(columns_of(*options.open)),
        measure_(measure()),
        random_(request.seed),
        packer_(task_),
        expander_(task_, packer_),
        states_(packer_),
        space_(measure_),
        open_(options_.open->bind(columns_, space_)),
        evaluation_(task_, request.monitor, columns_,
                    {options.deferred, options.open->uses_preferred(),
                     options.deferred || anytime_ || (options.reopen != Reopen::never && reopens_by_expansion())},
                    packer_, states_, space_, expander_, [this](const auto& visit) { open_->visit_next(visit); }),
        bound_(task_),
        best_(columns_.heuristics().size(), kDeadEnd) {}

  SearchResult next(std::optional<std::int64_t> below) override {
    const bool started = std::exchange(started_, true);
    if (started && result_.status != Status::solved) return result_;
    try {
      started ? resume(below) : start();
    } catch (const Stopped& stopped) {
      finish(status_of(stopped.reason));
    } catch (const std::bad_alloc&) {
      result_.status = Status::memory_limit;
    }
    return result_;
  }

 private:
  PathMeasure measure() const {
    if (options_.reopen == Reopen::never && !options_.open->uses_g()) return PathMeasure::none;
    return options_.cost == CostType::unit ? PathMeasure::steps : PathMeasure::costs;
  }

  /// Whether a cheaper path makes a state wait once more: not where all lists move what is behind it.
  bool reopens_by_expansion() const { return !options_.open->moves_subtrees(); }

  // ---- the loop

  void start() {
    if (request_.observer) request_.observer->began(*open_, space_, states_);
    if (holds(task_, task_.goal, task_.initial_state.data())) return finish(Status::solved);
    const std::vector<std::uint32_t> words = packer_.packed(task_.initial_state.data());
    const Expander::Successor initial{kNoAction, task_.initial_state, task_.initial_state,
                                      packer_.hashed(words.data())};
    states_.insert(initial.packed);
    enter({}, 0, initial, false);
    if (anytime_) bound_.add(0);
    if (anytime_ && request_.below) bound_.tighten(*request_.below);
    if (!open_children()) return finish(Status::evaluation_limit);
    search();
  }

  /// After a plan: completes the round that found it, and goes on for a plan below the bound.
  void resume(std::optional<std::int64_t> below) {
    if (result_.plan.empty()) return finish(Status::unsolvable);  // nothing is shorter
    result_.plan.clear();
    if (below) bound_.tighten(*below);
    if (bound_.bound() <= 0) return finish(Status::unsolvable);
    if (!open_children()) return finish(Status::evaluation_limit);
    reopen_stale();
    open_->discard_if([this](StateId state) { return !bound_.promising(bound_.cost(state)); });
    search();
  }

  void search() {
    while (true) {
      request_.monitor.check();
      const StateId state = open_->pop(random_, space_);
      if (state == kNoState) return finish(proves() ? Status::unsolvable : Status::exhausted);
      space_.close(state);
      if (!worthwhile(state)) {
        open_->discard(state);
        if (request_.observer) request_.observer->visited(state, result_);
        continue;
      }
      if (tests_goal_late_ && goals_[index(state)]) return finish_with(state);
      if (request_.limits.expansions && result_.expansions >= *request_.limits.expansions)
        return finish(Status::expansion_limit);
      if (expand(state)) return finish(Status::solved);
      if (!open_children()) return finish(Status::evaluation_limit);
      if (request_.observer) request_.observer->visited(state, result_);
    }
  }

  /// Whether there is no plan (below the bound) if nothing is left to search.
  bool proves() const {
    const auto safe = [](const HeuristicPointer& heuristic) { return heuristic->safe(); };
    return options_.open->complete() && std::ranges::all_of(columns_.heuristics(), safe);
  }

  void finish(Status status) {
    result_.status = status;
    result_.remarks = evaluation_.remarks();
    if (request_.observer) request_.observer->ended(result_);
  }

  void finish_with(StateId goal) {
    set_plan(goal);
    finish(Status::solved);
  }

  void set_plan(StateId last) {
    for (ActionId action : space_.path(last)) result_.plan.push_back(static_cast<Id>(action));
  }

  // ---- select

  /// Evaluates the state, if that was deferred; false if it is a dead end, or no plan below the bound goes through it.
  bool worthwhile(StateId state) {
    if (anytime_ && !bound_.promising(bound_.cost(state))) return false;
    if (!options_.deferred || evaluation_.evaluated(state)) return true;
    const std::span<const Value> row = evaluation_.evaluate_late(state);
    if (count_evaluation(row)) return false;
    open_->revalue(state, row);
    if (request_.observer) request_.observer->revalued(state, row);
    return true;
  }

  // ---- expand

  /// Generates the successors; those that matter become children. True if a plan was found, which is in the result.
  bool expand(StateId state) {
    ++result_.expansions;
    if (request_.observer) request_.observer->expands(state);
    const std::span<const Id> recommended = evaluation_.preferred(state);
    const std::int64_t g = space_.g(state);
    expansion_.state = state;
    expansion_.children.clear();
    first_new_ = space_.size();
    bool found = false;
    expander_.expand(states_.words(state), [&](const Expander::Successor& successor) {
      ++result_.generated;
      const ActionId action = successor.action;
      if (anytime_ && leaves_out(state, successor)) return true;
      const auto [id, is_new] = states_.insert(successor.packed);
      const std::int64_t after =
          measure_ == PathMeasure::none ? 0 : g + action_cost(task_, options_.cost, static_cast<Id>(action));
      const bool preferred = std::ranges::binary_search(recommended, static_cast<Id>(action));
      if (!is_new) {
        reach_again({state, action}, after, id, successor, preferred);
        return true;
      }
      enter({state, action}, after, successor, preferred);
      if (anytime_) bound_.add(bound_.after(state, action));
      found = !anytime_ && !tests_goal_late_ && holds(task_, task_.goal, successor.values.data());
      if (found) set_plan(id);
      return !found;
    });
    return !result_.plan.empty();
  }

  /// Makes a new state a child.
  void enter(const Origin& origin, std::int64_t g, const Expander::Successor& successor, bool preferred) {
    const StateId state{static_cast<Id>(space_.size())};
    space_.add(origin, g);
    if (tests_goal_late_) goals_.push_back(holds(task_, task_.goal, successor.values.data()));
    expansion_.children.push_back({.state = state, .action = origin.action, .preferred = preferred});
    evaluation_.await(successor);
  }

  /// A known state becomes a child if the path is better than its own.
  void reach_again(const Origin& origin, std::int64_t g, StateId state, const Expander::Successor& successor,
                   bool preferred) {
    evaluation_.reached_again(origin, state, successor);
    const bool costs_less = anytime_ && bound_.after(origin.parent, origin.action) < bound_.cost(state);
    if (!costs_less && (costs_more(origin, state) || !is_better(g, origin, state))) return;
    if (evaluation_.known_dead_end(state)) return;
    const std::int64_t known = space_.g(state);
    space_.move(state, origin, g);
    if (costs_less) bound_.lower(state, bound_.after(origin.parent, origin.action));
    // Before there is a bound, an anytime search takes its course as one that has no costs to think of.
    const bool waits = costs_less && bound_.found();
    if (costs_less && !waits && space_.closed(state)) stale_.push_back(state);
    if (options_.reopen == Reopen::never && !waits && reopens_by_expansion()) return;
    const bool again = waits || (g < known && reopens_by_expansion());
    if (again && index(state) >= first_new_) return;  // it is a child already
    if (again) space_.reopen(state);
    expansion_.children.push_back({state, origin.action, false, again, preferred, known - g});
  }

  bool costs_more(const Origin& origin, StateId state) const {
    return anytime_ && bound_.after(origin.parent, origin.action) > bound_.cost(state);
  }

  /// By the measure of the search. A path that is as good leads through states that are nearer, so that no state ever
  /// comes to lie behind itself.
  bool is_better(std::int64_t g, const Origin& origin, StateId state) const {
    if (options_.reopen == Reopen::never) return false;
    const std::int64_t known = space_.g(state);
    return g < known || (g == known && options_.reopen == Reopen::as_cheap && space_.g(origin.parent) < g);
  }

  /// In an anytime search: whether the successor gets no place in the search space, for it is a goal or costs too much.
  /// A goal may be a plan.
  bool leaves_out(StateId state, const Expander::Successor& successor) {
    const PathBound::Cost cost = bound_.after(state, successor.action);
    if (!holds(task_, task_.goal, successor.values.data())) return !bound_.promising(cost);
    if (cost >= bound_.bound()) return true;
    result_.plan.clear();
    set_plan(state);
    result_.plan.push_back(static_cast<Id>(successor.action));
    PathBound::Cost exact = 0;  // paths may have become cheaper than was noted at their ends
    for (Id action : result_.plan) exact += task_.costs[static_cast<std::size_t>(action)];
    bound_.tighten(exact);
    return true;
  }

  /// The states that were expanded before there was a bound, and whose paths got cheaper since.
  void reopen_stale() {
    std::vector<Value> row(columns_.heuristics().size());
    for (StateId state : stale_) {
      if (!space_.closed(state) || !bound_.promising(bound_.cost(state))) continue;
      space_.reopen(state);
      evaluation_.copy_row(state, row.data());
      open_->reopen(state, row);
    }
    stale_.clear();
  }

  // ---- evaluate

  /// Gives the children their values, and those that are no dead ends to the open list; false at the limit of
  /// evaluations.
  bool open_children() {
    evaluation_.evaluate(expansion_);
    const std::size_t columns = expansion_.columns;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < expansion_.children.size(); ++i) {
      const std::span<const Value> row = expansion_.row(i);
      if (expansion_.children[i].is_new) {
        if (request_.limits.evaluations && result_.inserted >= *request_.limits.evaluations) return false;
        ++result_.inserted;
        if (!options_.deferred && count_evaluation(row)) continue;
      }
      expansion_.children[kept] = expansion_.children[i];
      std::ranges::copy(row, expansion_.values.begin() + static_cast<std::ptrdiff_t>(kept++ * columns));
    }
    expansion_.children.resize(kept);
    open_->push(expansion_);
    if (request_.observer) request_.observer->expanded(expansion_);
    request_.monitor.progress = {result_.evaluations, result_.expansions, result_.best_h};
    return true;
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
    if (improved) open_->improved();
    return false;
  }

  const BestFirst options_;
  const SearchRequest request_;
  const Task& task_;
  const bool anytime_;
  const bool tests_goal_late_;
  const Columns columns_;
  const PathMeasure measure_;
  SearchResult result_;
  bool started_ = false;
  Random random_;
  StatePacker packer_;
  Expander expander_;
  StateStore states_;
  SearchSpace space_;
  std::unique_ptr<Frontier> open_;
  Evaluation evaluation_;
  PathBound bound_;             // of an anytime search
  std::vector<StateId> stale_;  // of an anytime search: expanded on a path that got cheaper since
  std::vector<bool> goals_;     // per state, if goals are tested late
  std::vector<Value> best_;     // per column
  Expansion expansion_;         // the one under way
  std::size_t first_new_ = 0;   // state of it
};

/// Of a task that was proved unsolvable.
class Hopeless : public Searching {
 public:
  SearchResult next(std::optional<std::int64_t>) override {
    SearchResult result;
    result.status = Status::unsolvable;
    return result;
  }
};

}  // namespace

std::unique_ptr<Searching> BestFirst::begin(const SearchRequest& request, Wanted wanted) const {
  if (!request.task.solvable) return std::make_unique<Hopeless>();
  return std::make_unique<BestFirstLoop>(*this, request, wanted);
}

}  // namespace banditplan
