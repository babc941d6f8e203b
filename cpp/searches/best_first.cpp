#include "searches/best_first.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "evaluation/evaluation.hpp"
#include "heuristics/goal_count.hpp"
#include "searches/closest.hpp"
#include "searches/observer.hpp"
#include "searches/path_bound.hpp"
#include "searches/relaxed_steps.hpp"

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
        defers_(options.deferred || options.lazy),
        tests_goal_late_(options.goal == GoalTest::expanded && !anytime_ && !options.lazy),
        columns_(columns_of(*options.open)),
        random_(request.seed),
        packer_(task_),
        expander_(task_, packer_, request.monitor),
        states_(packer_),
        space_(task_, options.cost, options.reopen != Reopen::never || options.open->uses_g()),
        places_(options.lazy),
        open_(options_.open->bind(columns_, space_)),
        evaluation_(task_, request.monitor, columns_,
                    {defers_, options.open->uses_preferred(),
                     defers_ || anytime_ || (options.reopen != Reopen::never && reopens_by_expansion())},
                    packer_, states_, space_, places_, expander_, [this](Coming& coming) { open_->tell(coming); }),
        bound_(task_),
        best_(columns_.heuristics().size(), kDeadEnd) {
    if (options.follow && !defers_) steps_ = std::make_unique<RelaxedSteps>(task_, request.monitor);
  }

  void set_limits(const SearchLimits& limits) { limits_ = limits; }

  /// For the first plan, then for cheaper ones.
  SearchResult next(std::optional<std::int64_t> below) {
    const bool goes_on = std::exchange(goes_on_, false), was_paused = result_.status == Status::paused;
    if (std::exchange(started_, true) && !goes_on && !was_paused) return result_;
    result_.status = Status::exhausted;
    try {
      was_paused ? awake(below) : goes_on ? resume(below) : start();
    } catch (const Stopped& stopped) {
      finish(status_of(stopped.reason));
    } catch (const std::bad_alloc&) {
      finish(Status::memory_limit);
    }
    goes_on_ = result_.status == Status::solved;
    return result_;
  }

 private:
  /// Whether a cheaper path makes a state wait once more: not where all lists move what is behind it.
  bool reopens_by_expansion() const { return !options_.open->moves_subtrees(); }

  // ---- the loop

  void start() {
    result_.prepare_seconds = request_.monitor.seconds();
    if (request_.observer) request_.observer->began(*open_, space_, places_, states_);
    nothing_to_do_ = holds(task_, task_.goal, task_.initial_state.data());
    if (nothing_to_do_) return finish(Status::solved);
    const std::vector<std::uint32_t> words = packer_.packed(task_.initial_state.data());
    const Expander::Successor initial{kNoAction, task_.initial_state, packer_.hashed(words.data()), nullptr};
    states_.insert(initial.packed);
    enter({}, 0, initial, false);
    if (anytime_) bound_.add(0);
    if (options_.lazy) {
      places_.add(1);
      places_.make(StateId{0}, StoredId{0});
    }
    if (anytime_ && request_.below) bound_.tighten(*request_.below);
    if (!open_children()) return finish(Status::evaluation_limit);
    search();
  }

  /// After a plan: completes the round that found it, and goes on for a plan below the bound.
  void resume(std::optional<std::int64_t> below) {
    result_.plan.clear();
    if (below) bound_.tighten(*below);
    if (nothing_to_do_ || bound_.bound() <= 0) return finish(Status::unsolvable);
    if (!open_children()) return finish(Status::evaluation_limit);
    leave_hopeless();
    search();
  }

  /// After a pause, in which a plan may have been found elsewhere.
  void awake(std::optional<std::int64_t> below) {
    if (below && anytime_) {
      bound_.tighten(*below);
      leave_hopeless();
    }
    search();
  }

  void search() {
    while (true) {
      request_.monitor.check();
      if (has_worked_enough()) return finish(Status::paused);
      const StateId state = open_->pop(random_, space_);
      if (state == kNoState) return finish(proves() ? Status::unsolvable : Status::exhausted);
      space_.close(state);
      if (options_.lazy) {
        const bool goes_on = make(state);
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
      if (tests_goal_late_ && goals_[index(state)]) return finish_with(state);
      if (limits_.expansions && result_.expansions >= *limits_.expansions) return finish(Status::expansion_limit);
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
      if (status == Status::unsolvable && !bound_.found())
        result_.closest = closest_to_goal(task_, states_, expander_, request_.monitor);
      result_.remarks = evaluation_.remarks();
      if (request_.observer) request_.observer->ended(result_);
    } catch (const std::bad_alloc&) {
      // The result is there; who looked on has seen less of it.
    }
  }

  void finish_with(StateId goal) {
    set_plan(goal);
    finish(Status::solved);
  }

  void set_plan(StateId last) {
    for (ActionId action : space_.path(last)) result_.plan.push_back(static_cast<Id>(action));
  }

  // ---- select

  /// In a lazy search, makes the state whose turn has come. False if nothing is to be done: it was expanded at another
  /// place, on a path that is no worse; or it is a goal. A plan may be found, which is in the result.
  bool make(StateId place) {
    if (places_.stored(place) != kNotStored) return counts(place) || takes_over(place);
    expansion_.children.clear();
    const Origin& origin = space_.origin(place);
    bool goes_on = false;
    expander_.step(words(origin.parent), origin.action, [&](const Expander::Successor& made) {
      if (anytime_ && leaves_out(origin.parent, made)) return;
      const auto [stored, is_new] = states_.insert(made.packed);
      places_.make(place, stored);
      if (!is_new) {
        goes_on = takes_over(place);
        return;
      }
      evaluation_.await(origin.parent, made);
      goes_on = anytime_ || !is_goal(made);
      if (!goes_on) set_plan(place);
    });
    return goes_on;
  }

  /// Of several places of a state, one counts: where it was found first, or, if there is a better path, at its end.
  StateId place_that_counts(StateId place) const { return places_.place(places_.stored(place)); }
  bool counts(StateId place) const { return place_that_counts(place) == place; }

  /// Whether a state that was expanded at another place is to be expanded again, since the path to this one is better.
  bool takes_over(StateId place) {
    const Turn taken = turn(space_.origin(place), place_that_counts(place));
    if (taken == Turn::stays || evaluation_.evaluated().known_dead_end(place)) return false;
    places_.prefer(place);
    if (taken == Turn::moves) stale_.push_back(place);
    return taken == Turn::waits;
  }

  /// Whether the state is not evaluated for the limit's sake, in a lazy search.
  bool at_limit(StateId state) const {
    return limits_.evaluations && result_.evaluations >= *limits_.evaluations && !evaluation_.evaluated().has(state);
  }

  /// Evaluates the state, if that was deferred; false if it is a dead end, or no plan below the bound goes through it.
  bool worthwhile(StateId state) {
    if (anytime_ && !bound_.promising(bound_.cost(state))) return false;
    if (!defers_ || evaluation_.evaluated().has(state)) return true;
    if (options_.lazy) ++result_.inserted;
    const std::span<const Value> row = evaluation_.evaluate_late(state);
    if (count_evaluation(row)) return false;
    open_->revalue(state, row);
    if (request_.observer) request_.observer->revalued(state, row);
    return true;
  }

  // ---- expand

  const std::uint32_t* words(StateId state) const { return states_.words(places_.stored(state)); }

  /// Generates the successors; those that matter become children. True if a plan was found, which is in the result.
  bool expand(StateId state) {
    ++result_.expansions;
    if (request_.observer) request_.observer->expands(state);
    expansion_.state = state;
    expansion_.children.clear();
    const std::span<const Id> recommended = evaluation_.evaluated().preferred(state);
    if (options_.lazy)
      note_steps(state, recommended);
    else
      make_children(state, recommended);
    return !result_.plan.empty();
  }

  /// In a lazy search: every applicable action leads to a place, where a state will be.
  void note_steps(StateId state, std::span<const Id> recommended) {
    const std::span<const Id> actions = expander_.applicable(words(state));
    result_.generated += static_cast<std::int64_t>(actions.size());
    if (actions.size() > kMostIds - space_.size()) throw std::bad_alloc();
    std::vector<Child>& children = expansion_.children;
    auto place = static_cast<Id>(space_.size());
    for (Id action : actions)
      if (!anytime_ || bound_.after({state, ActionId{action}}) < bound_.bound())
        children.push_back({.state = StateId{place++}, .action = ActionId{action}});
    auto next = children.begin();
    for (Id action : recommended) {
      next = std::ranges::lower_bound(next, children.end(), ActionId{action}, {}, &Child::action);
      if (next != children.end() && next->action == ActionId{action}) next->preferred = true;
    }
    space_.add(state, children);
    places_.add(children.size());
    if (anytime_)
      for (const Child& child : children) bound_.add(bound_.after({state, child.action}));
  }

  void make_children(StateId state, std::span<const Id> recommended) {
    first_new_ = space_.size();
    expander_.expand(words(state), states_, [&](const Expander::Successor& successor) {
      const bool preferred = std::ranges::binary_search(recommended, static_cast<Id>(successor.action));
      const Origin origin{state, successor.action};
      const auto [id, is_new] = arrive(origin, successor, preferred);
      if (id != kNoState && !is_new) reach_again(origin, id, successor, preferred);
      return anytime_ || result_.plan.empty();
    });
    first_followed_ = expansion_.children.size();
    if (steps_ && (anytime_ || result_.plan.empty()) && steps_->due()) follow(state);
  }

  struct Found {
    StateId state;
    bool is_new;
  };
  /// Takes note of a successor; a new state becomes a child. Without an id, it gets no place in the search space. A
  /// plan may be found, which is in the result.
  Found arrive(const Origin& origin, const Expander::Successor& successor, bool preferred) {
    ++result_.generated;
    if (anytime_ && leaves_out(origin.parent, successor)) return {kNoState, false};
    const auto [stored, is_new] = states_.insert(successor.packed);
    const Found found{places_.place(stored), is_new};
    if (!is_new) return found;
    enter(origin, space_.after(origin), successor, preferred);
    if (anytime_) bound_.add(bound_.after(origin));
    if (!anytime_ && !tests_goal_late_ && evaluation_.may_be_goal() && is_goal(successor)) set_plan(found.state);
    return found;
  }

  /// Makes the steps of a relaxed plan; new states on the way become children of the one that is expanded. Of known
  /// ones nothing is learnt that the expansion of the state before them does not tell. One that is nearer to the
  /// initial state than the expanded one is the end: in a tree, nothing hangs under a state that is farther away.
  void follow(const StateId expanded) {
    StateId state = expanded;
    values_.resize(task_.variables.size());
    expander_.load(words(state), values_.data());
    steps_->begin(values_.data());
    while (const std::optional<Id> action = steps_->next(values_.data())) {
      request_.monitor.check_short();
      const Origin origin{state, ActionId{*action}};
      expander_.step(words(state), origin.action, [&](const Expander::Successor& successor) {
        values_ = successor.values();
        const auto [id, is_new] = arrive(origin, successor, true);
        state = is_new || id == kNoState || !nearer(id, expanded) ? id : kNoState;
      });
      if (state == kNoState || (!anytime_ && !result_.plan.empty())) return;
    }
  }

  /// By the measure with which the search compares paths.
  bool nearer(StateId a, StateId b) const {
    if (anytime_ && bound_.cost(a) != bound_.cost(b)) return bound_.cost(a) < bound_.cost(b);
    return space_.g(a) < space_.g(b);
  }

  /// Most states lack a fact of which that can be told without the values of all variables.
  bool is_goal(const Expander::Successor& successor) const {
    const auto lacks = [&](Id goal) {
      const auto& [variable, value, negated] = task_.facts[goal];
      return !task_.variables[variable].derived() &&
             (packer_.value(successor.packed.words, variable) == value) == negated;
    };
    return std::ranges::none_of(task_.goal, lacks) && holds(task_, task_.goal, successor.values().data());
  }

  /// Makes a new state a child.
  void enter(const Origin& origin, std::int64_t g, const Expander::Successor& successor, bool preferred) {
    const StateId state{static_cast<Id>(space_.size())};
    space_.add(origin, g);
    if (tests_goal_late_) goals_.push_back(is_goal(successor));
    expansion_.children.push_back({.state = state, .action = origin.action, .preferred = preferred});
    evaluation_.await(origin.parent, successor);
  }

  /// What becomes of a known state that is reached on another path: nothing; it takes that path, with what is behind
  /// it; or it takes that path, and waits for its expansion once more.
  enum class Turn { stays, moves, waits };

  Turn turn(const Origin& origin, StateId state) const {
    if (!anytime_) return turn_by_g(origin, state);
    const PathBound::Cost cost = bound_.after(origin), known = bound_.cost(state);
    if (cost == known) return turn_by_g(origin, state);
    if (cost > known) return Turn::stays;
    // Before there is a bound, nothing is expanded for the sake of costs alone.
    return bound_.found() ? Turn::waits : turn_by_g(origin, state) == Turn::waits ? Turn::waits : Turn::moves;
  }

  /// By the measure of the search. A path that is as good leads through states that are nearer, so that no state ever
  /// comes to lie behind itself.
  Turn turn_by_g(const Origin& origin, StateId state) const {
    if (options_.reopen == Reopen::never) return Turn::stays;
    const std::int64_t g = space_.after(origin), known = space_.g(state);
    if (g < known) return options_.open->moves_subtrees() ? Turn::moves : Turn::waits;
    const bool as_good = g == known && space_.g(origin.parent) < g;
    return as_good && options_.reopen == Reopen::as_cheap ? Turn::moves : Turn::stays;
  }

  void reach_again(const Origin& origin, StateId state, const Expander::Successor& successor, bool preferred) {
    if (may_be_expanded(state)) evaluation_.reached_again(origin, state, successor);
    const Turn taken = turn(origin, state);
    if (taken == Turn::stays) return;
    const bool is_child = index(state) >= first_new_;
    if (!is_child && evaluation_.evaluated().known_dead_end(state)) return;
    space_.move(state, origin, space_.after(origin));
    if (anytime_ && bound_.lower(state, bound_.after(origin)) && taken == Turn::moves && space_.closed(state))
      stale_.push_back(state);
    if (is_child && taken == Turn::waits) {
      std::ranges::find(expansion_.children, state, &Child::state)->action = origin.action;
      return;
    }
    if (taken == Turn::waits) space_.reopen(state);
    expansion_.children.push_back({state, origin.action, false, taken == Turn::waits, preferred});
  }

  /// Now or later: else nobody asks what is known of the paths to it.
  bool may_be_expanded(StateId state) const {
    return anytime_ || options_.reopen != Reopen::never || !space_.closed(state);
  }

  /// In an anytime search: whether the successor gets no place in the search space, for it is a goal or costs too much.
  /// A goal may be a plan.
  bool leaves_out(StateId state, const Expander::Successor& successor) {
    const PathBound::Cost cost = bound_.after({state, successor.action});
    if (!is_goal(successor)) return !bound_.promising(cost);
    if (cost >= bound_.bound()) return true;
    result_.plan.clear();
    set_plan(state);
    result_.plan.push_back(static_cast<Id>(successor.action));
    PathBound::Cost exact = 0;  // paths may have become cheaper than was noted at their ends
    for (Id action : result_.plan) exact += task_.costs[static_cast<std::size_t>(action)];
    bound_.tighten(exact);
    return true;
  }

  /// There is a new bound: states that cannot lead to plans below it are left out, and those that were expanded before
  /// there was a bound, and whose paths got cheaper since, wait once more.
  void leave_hopeless() {
    reopen_stale();
    open_->discard_if([this](StateId state) { return !bound_.promising(bound_.cost(state)); });
  }

  void reopen_stale() {
    std::vector<Value> row(columns_.heuristics().size());
    for (StateId state : stale_) {
      if (!space_.closed(state) || !bound_.promising(bound_.cost(state))) continue;
      if (!counts(state)) continue;
      space_.reopen(state);
      evaluation_.evaluated().copy_row(state, row.data());
      open_->reopen(state, row);
    }
    stale_.clear();
  }

  // ---- evaluate

  /// Gives the children their values, and those that are no dead ends to the open list; false at the limit of
  /// evaluations.
  bool open_children() {
    const bool all = within_limit();
    evaluation_.evaluate(expansion_);
    if (!options_.lazy) count_children();
    if (!all) return false;
    open_->push(expansion_);
    if (request_.observer) request_.observer->expanded(expansion_);
    request_.monitor.progress = {result_.evaluations, result_.expansions, result_.best_h};
    return true;
  }

  /// Those that are dead ends are left out.
  void count_children() {
    const std::size_t columns = expansion_.columns;
    std::size_t kept = 0;
    std::int64_t improvements = 0;
    for (std::size_t i = 0; i < expansion_.children.size(); ++i) {
      if (i == first_followed_) improvements = improvements_;
      const std::span<const Value> row = expansion_.row(i);
      if (expansion_.children[i].is_new) {
        ++result_.inserted;
        if (!defers_ && count_evaluation(row)) continue;
      }
      if (kept < i) {
        expansion_.children[kept] = expansion_.children[i];
        std::ranges::copy(row, expansion_.values.begin() + static_cast<std::ptrdiff_t>(kept * columns));
      }
      ++kept;
    }
    if (steps_) steps_->judge(first_followed_ < expansion_.children.size() && improvements_ > improvements);
    expansion_.children.resize(kept);
  }

  /// Cuts the children where the limit of evaluations is; whether that was not necessary.
  bool within_limit() {
    if (!limits_.evaluations || options_.lazy) return true;
    std::int64_t left = *limits_.evaluations - result_.inserted;
    const auto beyond =
        std::ranges::find_if(expansion_.children, [&](const Child& child) { return child.is_new && left-- <= 0; });
    const bool all = beyond == expansion_.children.end();
    expansion_.children.erase(beyond, expansion_.children.end());
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

  static constexpr std::int64_t kStepsPerState = 8;  // to note so many takes as long as to make a state

  const BestFirst options_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Task& task_;
  const bool anytime_;
  const bool defers_;
  const bool tests_goal_late_;
  const Columns columns_;
  std::int64_t effort_ = 0;  // of an evaluation, where the generation of a state is 1; known where work has a limit
  SearchResult result_;
  bool started_ = false;
  bool goes_on_ = false;        // there may be a cheaper plan
  bool nothing_to_do_ = false;  // the initial state is a goal
  Random random_;
  StatePacker packer_;
  Expander expander_;
  StateStore states_;
  SearchSpace space_;
  Places places_;
  std::unique_ptr<Frontier> open_;
  Evaluation evaluation_;
  std::unique_ptr<RelaxedSteps> steps_;  // if they are followed
  std::vector<Id> values_;               // of the state to which they have led
  std::size_t first_followed_ = 0;       // child of the expansion under way
  std::int64_t improvements_ = 0;        // of the least value of a column
  PathBound bound_;                      // of an anytime search
  std::vector<StateId> stale_;           // of an anytime search: places of states expanded before a path got cheaper
  std::vector<bool> goals_;              // per state, if goals are tested late
  std::vector<Value> best_;              // per column
  Expansion expansion_;                  // the one under way
  std::size_t first_new_ = 0;            // state of it
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
