#include "plans/window.hpp"

#include <algorithm>

#include "hash.hpp"

namespace banditplan {

WindowSearch::WindowSearch(const Task& task, Work& work, Monitor& monitor)
    : task_(task),
      work_(work),
      monitor_(monitor),
      axioms_(task, monitor),
      setters_(Lists<Effect>::inverse(
          task.effects, task.variables.size(), [&](const Effect& effect) { return task.facts[effect.fact].variable; },
          [&] { monitor.check_short(); })),
      state_(task.variables.size()),
      place_(task.variables.size(), -1),
      seen_(task.actions(), false),
      buckets_(task.facts.size(), -1) {
  work.spend(static_cast<std::int64_t>(2 * task.effects.total()));
}

WindowSearch::Outcome WindowSearch::improve(std::span<const Id> window, const Id* before, const Id* after,
                                            const std::vector<char>& needed, std::int64_t most) {
  spent_ = 0;
  std::copy_n(before, state_.size(), state_.data());
  choose_variables(window, after, needed);
  choose_actions(needed);
  if (spent_ > most) return Outcome::unknown;
  bound_from_below();
  Weight bound = 0;
  for (Id action : window) bound += weight(action);
  return search(bound, most);
}

// ---- what takes part

void WindowSearch::track(Id variable) {
  if (place_[variable] >= 0) return;
  place_[variable] = static_cast<Id>(tracked_.size());
  tracked_.push_back(variable);
}

void WindowSearch::choose_variables(std::span<const Id> window, const Id* after, const std::vector<char>& needed) {
  for (Id variable : tracked_) place_[variable] = -1;
  tracked_.clear();
  for (Id action : window)
    for (const Effect& effect : task_.effects[action]) track(task_.facts[effect.fact].variable);
  targets_.clear();
  for (Id variable : tracked_) targets_.push_back(needed[variable] ? after[variable] : -1);
}

void WindowSearch::choose_actions(const std::vector<char>& needed) {
  for (Id fact : filled_) buckets_[fact] = -1;
  filled_.clear();
  candidates_.clear();
  anywhere_ = -1;
  for (std::size_t i = 0; i < targets_.size(); ++i)
    for (Id action : setters_[tracked_[i]]) {
      if (seen_[action]) continue;
      seen_[action] = true;
      spend(static_cast<std::int64_t>(task_.effects[action].size()) + 1);
      actions_.push_back(action);
    }
  for (Id action : actions_) seen_[action] = false;
  std::erase_if(actions_, [&](Id action) { return !may_take_part(action, needed); });
  for (Id action : actions_)
    for (const Effect& effect : task_.effects[action]) {
      const Fact& fact = task_.facts[effect.fact];
      if (state_[fact.variable] != fact.value) track(fact.variable);
    }
  for (Id action : actions_) {
    spend(static_cast<std::int64_t>(task_.preconditions[action].size()));
    if (is_possible(action)) file(action);
  }
  actions_.clear();
}

/// Whether it leaves all others alone that are needed.
bool WindowSearch::may_take_part(Id action, const std::vector<char>& needed) const {
  return std::ranges::all_of(task_.effects[action], [&](const Effect& effect) {
    const Fact& fact = task_.facts[effect.fact];
    return place_[fact.variable] >= 0 || !needed[fact.variable] || state_[fact.variable] == fact.value;
  });
}

/// Whether what never changes allows it.
bool WindowSearch::is_possible(Id action) const {
  return std::ranges::all_of(task_.preconditions[action], [&](Id fact) {
    const Id variable = task_.facts[fact].variable;
    return place_[variable] >= 0 || task_.variables[variable].derived() || holds(task_, fact, state_.data());
  });
}

/// Puts a candidate into the bucket of its most telling precondition.
void WindowSearch::file(Id action) {
  Id key = -1, most = 0;
  for (Id fact : task_.preconditions[action]) {
    const Fact& f = task_.facts[fact];
    if (f.negated || place_[f.variable] < 0 || task_.variables[f.variable].values <= most) continue;
    key = fact;
    most = task_.variables[f.variable].values;
  }
  Id& first = key < 0 ? anywhere_ : buckets_[key];
  if (key >= 0 && first < 0) filled_.push_back(key);
  candidates_.push_back({action, first});
  first = static_cast<Id>(candidates_.size()) - 1;
}

// ---- the lower bound

void WindowSearch::bound_from_below() {
  transitions_.clear();
  for (const Candidate& candidate : candidates_) {
    const auto effects = task_.effects[candidate.action];
    const auto target = [&](const Effect& effect) {
      const auto place = static_cast<std::size_t>(place_[task_.facts[effect.fact].variable]);
      return place < targets_.size() && targets_[place] >= 0;
    };
    const auto parts = std::ranges::count_if(effects, target);
    spend(static_cast<std::int64_t>(effects.size()));
    for (const Effect& effect : effects) {
      if (!target(effect)) continue;
      const Fact& to = task_.facts[effect.fact];
      Id from = -1;
      for (Id fact : task_.preconditions[candidate.action])
        if (task_.facts[fact].variable == to.variable && !task_.facts[fact].negated) from = task_.facts[fact].value;
      if (from != to.value)
        transitions_.push_back({place_[to.variable], from, to.value, weight(candidate.action) / parts});
    }
  }
  distances_.resize(std::max(distances_.size(), targets_.size()));
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i] < 0) continue;
    distances_[i].assign(static_cast<std::size_t>(task_.variables[tracked_[i]].values), kInfinite);
    distances_[i][targets_[i]] = 0;
  }
  relax_transitions();
}

void WindowSearch::relax_transitions() {
  std::vector<Weight> from_any(targets_.size(), kInfinite);
  for (bool changed = true; changed;) {
    changed = false;
    spend(static_cast<std::int64_t>(transitions_.size()));
    for (const Transition& step : transitions_) {
      std::vector<Weight>& distances = distances_[step.place];
      const Weight there = std::min(distances[step.to], from_any[step.place]);
      Weight& known = step.from < 0 ? from_any[step.place] : distances[step.from];
      if (there + step.weight >= known) continue;
      known = there + step.weight;
      changed = true;
    }
  }
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i] >= 0)
      for (Weight& distance : distances_[i]) distance = std::min(distance, from_any[i]);
}

WindowSearch::Weight WindowSearch::distance(const Id* values) const {
  Weight sum = 0;
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i] >= 0) sum = std::min(sum + distances_[i][values[i]], kInfinite);
  return sum;
}

bool WindowSearch::is_goal(const Id* values) const {
  for (std::size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i] >= 0 && values[i] != targets_[i]) return false;
  return true;
}

// ---- A*

WindowSearch::Outcome WindowSearch::search(Weight bound, std::int64_t most) {
  nodes_.clear();
  values_.clear();
  slots_.assign(256, -1);
  open_ = {};
  successor_.clear();
  for (Id variable : tracked_) successor_.push_back(state_[variable]);
  arrive({0, -1, -1}, bound);
  while (!open_.empty()) {
    const Open best = open_.top();
    open_.pop();
    if (best.f >= bound) break;
    if (best.g != nodes_[best.node].g) continue;  // a better way was found since
    if (is_goal(values(best.node))) {
      trace_back(best.node);
      return Outcome::better;
    }
    if (spent_ > most) return Outcome::unknown;
    expand(best.node, bound);
  }
  return Outcome::best;
}

void WindowSearch::expand(Id node, Weight bound) {
  monitor_.check_short();
  for (std::size_t i = 0; i < tracked_.size(); ++i) state_[tracked_[i]] = values(node)[i];
  if (!axioms_.empty()) {
    axioms_.evaluate(state_.data());
    spend(static_cast<std::int64_t>(state_.size()));
  }
  spend(static_cast<std::int64_t>(tracked_.size()));
  try_candidates(anywhere_, node, bound);
  for (Id variable : tracked_)
    try_candidates(buckets_[task_.variables[variable].first_fact + state_[variable]], node, bound);
}

void WindowSearch::try_candidates(Id first, Id node, Weight bound) {
  for (Id i = first; i >= 0; i = candidates_[i].next) {
    const Id action = candidates_[i].action;
    const auto preconditions = task_.preconditions[action];
    spend(static_cast<std::int64_t>(preconditions.size()));
    if (holds(task_, preconditions, state_.data())) reach(node, action, bound);
  }
}

void WindowSearch::reach(Id parent, Id action, Weight bound) {
  const Weight g = nodes_[parent].g + weight(action);
  spend(static_cast<std::int64_t>(2 * tracked_.size()) + 8);
  successor_.assign(values(parent), values(parent) + tracked_.size());
  for (const Effect& effect : task_.effects[action]) {
    const Fact& fact = task_.facts[effect.fact];
    if (place_[fact.variable] < 0) continue;  // it has that value
    if (effect.condition == 0 || holds(task_, task_.conditions[effect.condition], state_.data()))
      successor_[place_[fact.variable]] = fact.value;
  }
  arrive({g, parent, action}, bound);
}

/// At the state `successor_`.
void WindowSearch::arrive(const Node& way, Weight bound) {
  const Weight f = way.g + distance(successor_.data());
  if (f >= bound) return;
  const Id node = find_or_insert(successor_.data());
  if (nodes_[node].g <= way.g) return;
  nodes_[node] = way;
  open_.push({f, way.g, node});
}

/// A new one is infinitely far away.
Id WindowSearch::find_or_insert(const Id* state) {
  if (nodes_.size() * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_of(state);
  if (slots_[slot] < 0) {
    slots_[slot] = static_cast<Id>(nodes_.size());
    nodes_.push_back({kInfinite, -1, -1});
    values_.insert(values_.end(), state, state + tracked_.size());
  }
  return slots_[slot];
}

/// The slot of the state, or an empty one where it belongs.
std::size_t WindowSearch::slot_of(const Id* state) const {
  const std::size_t size = tracked_.size(), mask = slots_.size() - 1;
  std::size_t slot = hash_ids({state, size}) & mask;
  while (slots_[slot] >= 0 && !std::equal(state, state + size, values(slots_[slot]))) slot = (slot + 1) & mask;
  return slot;
}

void WindowSearch::grow() {
  slots_.assign(slots_.size() * 2, -1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) slots_[slot_of(values(static_cast<Id>(i)))] = static_cast<Id>(i);
}

void WindowSearch::trace_back(Id node) {
  way_.clear();
  for (; nodes_[node].parent >= 0; node = nodes_[node].parent) way_.push_back(nodes_[node].action);
  std::ranges::reverse(way_);
}

}  // namespace banditplan
