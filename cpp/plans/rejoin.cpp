#include "plans/rejoin.hpp"

#include <algorithm>
#include <limits>

#include "task/successors.hpp"

namespace banditplan {

namespace {

/// Conditions take memory quadratic in the length of a plan: the last places go first.
constexpr std::size_t kMostFacts = 4'000'000;

/// A conjunction of facts that grows and shrinks.
class Conjunction {
 public:
  explicit Conjunction(const Task& task) : task_(task), value_(task.variables.size(), -1) {}

  /// False if the fact contradicts others.
  bool add(Id fact) {
    const Fact& f = task_.facts[fact];
    if (f.negated) {
      if (value_[f.variable] >= 0) return value_[f.variable] != f.value;
      if (std::ranges::find(negated_, fact) == negated_.end()) negated_.push_back(fact);
      return true;
    }
    return set(f.variable, f.value);
  }

  bool set(Id variable, Id value) {
    if (value_[variable] >= 0) return value_[variable] == value;
    bool possible = true;
    std::erase_if(negated_, [&](Id fact) {
      if (task_.facts[fact].variable != variable) return false;
      possible = possible && task_.facts[fact].value != value;
      return true;
    });
    value_[variable] = value;
    return possible;
  }

  bool mentions(Id variable) const {
    return value_[variable] >= 0 ||
           std::ranges::any_of(negated_, [&](Id fact) { return task_.facts[fact].variable == variable; });
  }
  /// Whether all that is said of the variable holds of the value.
  bool allows(Id variable, Id value) const {
    if (value_[variable] >= 0) return value_[variable] == value;
    return std::ranges::none_of(
        negated_, [&](Id fact) { return task_.facts[fact].variable == variable && task_.facts[fact].value == value; });
  }
  void forget(Id variable) {
    value_[variable] = -1;
    std::erase_if(negated_, [&](Id fact) { return task_.facts[fact].variable == variable; });
  }

  std::vector<Id> facts() const {
    std::vector<Id> result;
    for (std::size_t v = 0; v < value_.size(); ++v)
      if (value_[v] >= 0) result.push_back(task_.variables[v].first_fact + value_[v]);
    result.insert(result.end(), negated_.begin(), negated_.end());
    std::ranges::sort(result);
    return result;
  }

 private:
  const Task& task_;
  std::vector<Id> value_;    // per variable; -1: any
  std::vector<Id> negated_;  // facts of variables without a value
};

class Regression {
 public:
  Regression(const Task& task, Monitor& monitor) : task_(task), monitor_(monitor), needs_(task) {
    axioms_of_.resize(task.variables.size());
    for (std::size_t x = 0; x < task.axioms(); ++x)
      axioms_of_[task.facts[task.axiom_heads[x]].variable].push_back(static_cast<Id>(x));
  }

  Rejoining run(const std::vector<Id>& plan, const std::optional<std::vector<Id>>& start) {
    if (start) follow(plan, *start);
    // The goal is a place of its own, whatever it follows from.
    std::vector<std::vector<Id>> conditions{task_.goal};
    std::ranges::sort(conditions[0]);
    std::size_t place = plan.size(), total = 0;
    bool known = need(task_.goal, state_at(place));
    while (known && place > 0 && plan[place - 1] >= 0 && total <= kMostFacts) {
      monitor_.check();
      --place;
      const auto action = static_cast<std::size_t>(plan[place]);
      known = regress(plan[place], state_at(place)) && need(task_.preconditions[action], state_at(place));
      if (!known) break;
      conditions.push_back(needs_.facts());
      total += conditions.back().size();
    }
    Rejoining result;
    result.first = plan.size() + 1 - conditions.size();
    for (auto c = conditions.rbegin(); c != conditions.rend(); ++c) result.conditions.append(*c);
    return result;
  }

 private:
  /// The states on the plan's way, as far as it can be followed.
  void follow(const std::vector<Id>& plan, const std::vector<Id>& start) {
    Applier applier(task_, monitor_);
    way_.push_back(start);
    for (Id action : plan) {
      monitor_.check();
      if (action < 0 || !holds(task_, task_.preconditions[action], way_.back().data())) return;
      std::vector<Id> next(start.size());
      applier.apply(action, way_.back().data(), next.data());
      way_.push_back(std::move(next));
    }
  }

  /// The state before a step of the plan, or after the last one, if it is known.
  const Id* state_at(std::size_t place) const { return place < way_.size() ? way_[place].data() : nullptr; }

  bool need(std::span<const Id> facts, const Id* state) {
    return std::ranges::all_of(facts, [&](Id fact) { return need(fact, state); });
  }
  bool need(Id fact, const Id* state) {
    const Id variable = task_.facts[fact].variable;
    if (!task_.variables[variable].derived()) return needs_.add(fact);
    return state && holds(task_, fact, state) && pin(variable, state);
  }

  /// Requires that a variable, or all that it is derived from, has the value that it has in the state.
  bool pin(Id variable, const Id* state) {
    std::vector<Id> queue{variable};
    std::vector<bool> seen(task_.variables.size(), false);
    seen[variable] = true;
    while (!queue.empty()) {
      const Id next = queue.back();
      queue.pop_back();
      if (!task_.variables[next].derived()) {
        if (!needs_.set(next, state[next])) return false;
        continue;
      }
      for (Id axiom : axioms_of_[next])
        for (Id fact : task_.axiom_bodies[axiom]) {
          const Id body = task_.facts[fact].variable;
          if (seen[body]) continue;
          seen[body] = true;
          queue.push_back(body);
        }
    }
    return true;
  }

  /// From what must hold after the action to what must hold before, without its precondition.
  bool regress(Id action, const Id* state) {
    std::vector<Effect> matter;
    for (const Effect& effect : task_.effects[action])
      if (needs_.mentions(task_.facts[effect.fact].variable)) matter.push_back(effect);
    std::vector<Effect> fire;
    std::vector<std::pair<Id, bool>> pinned;  // conditions, and whether they hold
    for (const Effect& effect : matter) {
      if (effect.condition == 0) {
        fire.push_back(effect);
        continue;
      }
      if (!state) return false;
      const bool fires = holds(task_, task_.conditions[effect.condition], state);
      pinned.emplace_back(effect.condition, fires);
      if (fires) fire.push_back(effect);
    }
    // The last effect on a variable counts.
    std::vector<Id> written;
    for (auto effect = fire.rbegin(); effect != fire.rend(); ++effect) {
      const Fact& fact = task_.facts[effect->fact];
      if (std::ranges::find(written, fact.variable) != written.end()) continue;
      if (!needs_.allows(fact.variable, fact.value)) return false;
      written.push_back(fact.variable);
    }
    for (Id variable : written) needs_.forget(variable);
    return std::ranges::all_of(pinned, [&](const auto& condition) {
      const std::span<const Id> facts = task_.conditions[condition.first];
      if (condition.second) return need(facts, state);
      const auto fails = std::ranges::find_if(facts, [&](Id fact) { return !holds(task_, fact, state); });
      return pin(task_.facts[*fails].variable, state);
    });
  }

  const Task& task_;
  Monitor& monitor_;
  Conjunction needs_;
  std::vector<std::vector<Id>> axioms_of_;  // per variable
  std::vector<std::vector<Id>> way_;        // states
};

}  // namespace

Rejoining rejoining(const Task& task, const std::vector<Id>& plan, const std::optional<std::vector<Id>>& start,
                    Monitor& monitor) {
  return Regression(task, monitor).run(plan, start);
}

std::optional<std::size_t> kept_from(const Task& task, const Rejoining& places) {
  for (std::size_t i = places.conditions.size(); i-- > 0;)
    if (holds(task, places.conditions[i], task.initial_state.data())) return places.first + i;
  return std::nullopt;
}

Task with_places(const Task& task, const std::vector<Id>& plan, const Rejoining& places) {
  Task result = task;
  // A further variable: its facts stand before the negated ones, which move on.
  const Id begin = task.negated_facts_begin;
  auto move = [&](std::span<Id> facts) {
    for (Id& fact : facts)
      if (fact >= begin) fact += 2;
  };
  auto move_all = [&](Lists<Id>& lists) {
    for (std::size_t i = 0; i < lists.size(); ++i) move(lists[i]);
  };
  move_all(result.preconditions);
  move_all(result.conditions);
  move_all(result.axiom_bodies);
  const auto variable = static_cast<Id>(task.variables.size());
  result.variables.push_back({begin, 2, -1});
  result.facts.insert(result.facts.begin() + begin, {Fact{variable, 0, false}, Fact{variable, 1, false}});
  result.negated_facts_begin = begin + 2;
  result.fact_names.append(std::vector<Id>{static_cast<Id>(task.predicates.size())});
  result.fact_names.close();
  result.predicates.push_back("rejoined@");
  result.initial_state.push_back(1);
  result.goal = {begin};
  const auto schema = static_cast<Id>(task.schemas.size());
  result.schemas.push_back("rejoin@");
  std::int64_t rest = 0;
  std::vector<Id> rests;
  for (std::size_t place = plan.size() + 1; place-- > places.first;) {
    if (place < plan.size()) rest += task.costs[plan[place]];
    rests.push_back(static_cast<Id>(std::min<std::int64_t>(rest, std::numeric_limits<Id>::max() / 4)));
  }
  for (std::size_t i = 0; i < places.conditions.size(); ++i) {
    std::vector<Id> needed(places.conditions[i].begin(), places.conditions[i].end());
    move(needed);
    needed.push_back(begin + 1);
    std::ranges::sort(needed);
    result.preconditions.append(needed);
    result.effects.add({begin, 0});
    result.effects.close();
    result.costs.push_back(rests[places.conditions.size() - 1 - i]);
    result.action_names.append(std::vector<Id>{schema});
  }
  return result;
}

Remainder without(const Task& task, const std::vector<bool>& forbidden) {
  Remainder result{task, {}};
  result.task.preconditions = {};
  result.task.effects = {};
  result.task.action_names = {};
  result.task.costs.clear();
  for (std::size_t a = 0; a < task.actions(); ++a) {
    if (forbidden[a]) continue;
    result.task.preconditions.append(task.preconditions[a]);
    result.task.effects.append(task.effects[a]);
    result.task.action_names.append(task.action_names[a]);
    result.task.costs.push_back(task.costs[a]);
    result.actions.push_back(static_cast<Id>(a));
  }
  return result;
}

}  // namespace banditplan
