#include "searches/growth.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace banditplan {

Growth::Growth(const BestFirst& options, const SearchRequest& request, bool anytime, FoundStates& found,
               Evaluation& evaluation, SearchResult& result)
    : options_(options),
      task_(request.task),
      monitor_(request.monitor),
      anytime_(anytime),
      tests_goal_late_(options.goal == GoalTest::expanded && !anytime_ && !options.lazy),
      found_(found),
      evaluation_(evaluation),
      result_(result),
      bound_(request.task) {
  if (options.follow && !options.defers()) steps_ = std::make_unique<RelaxedSteps>(task_, monitor_);
  if (anytime_ && request.below) bound_.tighten(*request.below);
}

void Growth::plant() {
  const std::vector<std::uint32_t> words = found_.packer.packed(task_.initial_state.data());
  const Expander::Successor initial{kNoAction, task_.initial_state, found_.packer.hashed(words.data()), nullptr};
  found_.store.insert(initial.packed);
  enter({}, 0, initial, false);
  if (anytime_) bound_.add(0);
  if (!options_.lazy) return;
  found_.places.add(1);
  found_.places.make(StateId{0}, StoredId{0});
}

void Growth::take_plan(StateId last, std::optional<ActionId> then) {
  std::vector<ActionId> path = found_.space.path(last);
  if (then) path.push_back(*then);
  std::vector<Id> plan(path.size());
  std::ranges::transform(path, plan.begin(), [](ActionId action) { return static_cast<Id>(action); });
  result_.plan = std::move(plan);
}

// ---- lazy searches

bool Growth::make(StateId place) {
  if (found_.places.stored(place) != kNotStored) return counts(place) || takes_over(place);
  expansion_.children.clear();
  const Origin& origin = found_.space.origin(place);
  bool goes_on = false;
  found_.expander.step(found_.words(origin.parent), origin.action, [&](const Expander::Successor& made) {
    if (anytime_ && leaves_out(origin.parent, made)) return;
    const auto [stored, is_new] = found_.store.insert(made.packed);
    found_.places.make(place, stored);
    if (!is_new) {
      goes_on = takes_over(place);
      return;
    }
    evaluation_.await(origin.parent, made);
    goes_on = anytime_ || !found_.expander.reaches_goal(made);
    if (!goes_on) take_plan(place);
  });
  return goes_on;
}

/// Of several places of a state, one counts: where it was found first, or, if there is a better path, at its end.
StateId Growth::place_that_counts(StateId place) const { return found_.places.place(found_.places.stored(place)); }

/// Whether a state that was expanded at another place is to be expanded again, since the path to this one is better.
bool Growth::takes_over(StateId place) {
  const Turn taken = turn(found_.space.origin(place), place_that_counts(place));
  if (taken == Turn::stays || evaluation_.evaluated().known_dead_end(place)) return false;
  found_.places.prefer(place);
  if (anytime_ && taken == Turn::moves) stale_.push_back(place);
  return taken == Turn::waits;
}

/// Every applicable action leads to a place, where a state will be.
void Growth::note_steps(StateId state, std::span<const Id> recommended) {
  const std::span<const Id> actions = found_.expander.applicable(found_.words(state));
  result_.generated += static_cast<std::int64_t>(actions.size());
  if (actions.size() > kMostIds - found_.space.size()) throw std::bad_alloc();
  std::vector<Child>& children = expansion_.children;
  auto place = static_cast<Id>(found_.space.size());
  for (Id action : actions) {
    monitor_.check_short();
    if (!anytime_ || bound_.after({state, ActionId{action}}) < bound_.bound())
      children.push_back({.state = StateId{place++}, .action = ActionId{action}});
  }
  auto next = children.begin();
  for (Id action : recommended) {
    next = std::ranges::lower_bound(next, children.end(), ActionId{action}, {}, &Child::action);
    if (next != children.end() && next->action == ActionId{action}) next->preferred = true;
  }
  found_.space.add(state, children);
  found_.places.add(children.size());
  if (anytime_)
    for (const Child& child : children) bound_.add(bound_.after({state, child.action}));
}

// ---- children

void Growth::expand(StateId state) {
  expansion_.state = state;
  expansion_.children.clear();
  const std::span<const Id> recommended = evaluation_.evaluated().preferred(state);
  options_.lazy ? note_steps(state, recommended) : make_children(state, recommended);
}

void Growth::make_children(StateId state, std::span<const Id> recommended) {
  first_new_ = found_.space.size();
  found_.expander.expand(found_.words(state), found_.store, [&](const Expander::Successor& successor) {
    const bool preferred = std::ranges::binary_search(recommended, static_cast<Id>(successor.action));
    const Origin origin{state, successor.action};
    const auto [id, is_new] = arrive(origin, successor, preferred);
    if (id != kNoState && !is_new) reach_again(origin, id, successor, preferred);
    return anytime_ || result_.plan.empty();
  });
  first_followed_ = expansion_.children.size();
  if (steps_ && (anytime_ || result_.plan.empty()) && steps_->due()) follow(state);
}

/// Takes note of a successor; a new state becomes a child. Without an id, it gets no place in the search space. A plan
/// may be found.
Growth::Arrived Growth::arrive(const Origin& origin, const Expander::Successor& successor, bool preferred) {
  ++result_.generated;
  if (anytime_ && leaves_out(origin.parent, successor)) return {kNoState, false};
  const auto [stored, is_new] = found_.store.insert(successor.packed);
  const Arrived arrived{found_.places.place(stored), is_new};
  if (!is_new) return arrived;
  enter(origin, found_.space.after(origin), successor, preferred);
  if (anytime_) bound_.add(bound_.after(origin));
  if (!anytime_ && !tests_goal_late_ && evaluation_.may_be_goal() && found_.expander.reaches_goal(successor))
    take_plan(arrived.state);
  return arrived;
}

/// Makes a new state a child.
void Growth::enter(const Origin& origin, std::int64_t g, const Expander::Successor& successor, bool preferred) {
  const StateId state{static_cast<Id>(found_.space.size())};
  found_.space.add(origin, g);
  if (tests_goal_late_) goals_.push_back(found_.expander.reaches_goal(successor));
  expansion_.children.push_back({.state = state, .action = origin.action, .preferred = preferred});
  evaluation_.await(origin.parent, successor);
}

/// Makes the steps of a relaxed plan; new states on the way become children of the one that is expanded. Of known ones
/// nothing is learnt that the expansion of the state before them does not tell. One that is nearer to the initial state
/// than the expanded one is the end: in a tree, nothing hangs under a state that is farther away.
void Growth::follow(const StateId expanded) {
  StateId state = expanded;
  values_.resize(task_.variables.size());
  found_.expander.load(found_.words(state), values_.data());
  steps_->begin(values_.data());
  while (const std::optional<Id> action = steps_->next(values_.data())) {
    monitor_.check_short();
    const Origin origin{state, ActionId{*action}};
    found_.expander.step(found_.words(state), origin.action, [&](const Expander::Successor& successor) {
      values_ = successor.values();
      const auto [id, is_new] = arrive(origin, successor, true);
      state = is_new || id == kNoState || !nearer(id, expanded) ? id : kNoState;
    });
    if (state == kNoState || (!anytime_ && !result_.plan.empty())) return;
  }
}

// ---- several paths to a state

Growth::Turn Growth::turn(const Origin& origin, StateId state) const {
  if (!anytime_) return turn_by_g(origin, state);
  const PathBound::Cost cost = bound_.after(origin), known = bound_.cost(state);
  if (cost == known) return turn_by_g(origin, state);
  if (cost > known) return Turn::stays;
  // Before there is a bound, nothing is expanded for the sake of costs alone.
  return bound_.found() ? Turn::waits : turn_by_g(origin, state) == Turn::waits ? Turn::waits : Turn::moves;
}

/// By the measure of the search. A path that is as good leads through states that are nearer, so that no state ever
/// comes to lie behind itself.
Growth::Turn Growth::turn_by_g(const Origin& origin, StateId state) const {
  if (options_.reopen == Reopen::never) return Turn::stays;
  const std::int64_t g = found_.space.after(origin), known = found_.space.g(state);
  if (g < known) return options_.open->moves_subtrees() ? Turn::moves : Turn::waits;
  const bool as_good = g == known && found_.space.g(origin.parent) < g;
  return as_good && options_.reopen == Reopen::as_cheap ? Turn::moves : Turn::stays;
}

/// By the measure with which the search compares paths.
bool Growth::nearer(StateId a, StateId b) const {
  if (anytime_ && bound_.cost(a) != bound_.cost(b)) return bound_.cost(a) < bound_.cost(b);
  return found_.space.g(a) < found_.space.g(b);
}

void Growth::reach_again(const Origin& origin, StateId state, const Expander::Successor& successor, bool preferred) {
  if (may_be_expanded(state)) evaluation_.reached_again(origin, state, successor);
  const Turn taken = turn(origin, state);
  if (taken == Turn::stays) return;
  const bool is_child = index(state) >= first_new_;
  if (!is_child && evaluation_.evaluated().known_dead_end(state)) return;
  found_.space.move(state, origin, found_.space.after(origin));
  if (anytime_ && bound_.lower(state, bound_.after(origin)) && taken == Turn::moves && found_.space.closed(state))
    stale_.push_back(state);
  if (is_child && taken == Turn::waits) {
    std::ranges::find(expansion_.children, state, &Child::state)->action = origin.action;
    return;
  }
  if (taken == Turn::waits) found_.space.reopen(state);
  expansion_.children.push_back({state, origin.action, false, taken == Turn::waits, preferred});
}

/// Now or later: else nobody asks what is known of the paths to it.
bool Growth::may_be_expanded(StateId state) const {
  return anytime_ || options_.reopen != Reopen::never || !found_.space.closed(state);
}

// ---- anytime searches

/// Whether the successor gets no place in the search space, for it is a goal or costs too much. A goal may be a plan.
bool Growth::leaves_out(StateId state, const Expander::Successor& successor) {
  const PathBound::Cost cost = bound_.after({state, successor.action});
  if (!found_.expander.reaches_goal(successor)) return !bound_.promising(cost);
  if (cost >= bound_.bound()) return true;
  take_plan(state, successor.action);
  bound_.tighten(plan_cost(task_, result_.plan));  // paths may have become cheaper than was noted at their ends
  return true;
}

void Growth::reopen_stale(Frontier& open) {
  std::vector<Value> row(evaluation_.columns());
  for (StateId state : stale_) {
    if (!found_.space.closed(state) || hopeless(state) || !counts(state)) continue;
    found_.space.reopen(state);
    evaluation_.evaluated().copy_row(state, row.data());
    open.reopen(state, row);
  }
  stale_.clear();
}

}  // namespace banditplan
