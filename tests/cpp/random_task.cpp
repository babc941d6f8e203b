#include "random_task.hpp"

#include <algorithm>

using namespace banditplan;

namespace {

/// Random facts of different variables; the variables below `end` count.
std::vector<Id> random_condition(Random& random, const Task& task, std::size_t end, Id most) {
  std::vector<Id> facts, variables;
  for (Id i = random.below(static_cast<std::size_t>(most) + 1); i > 0; --i) {
    const Id fact = random.below(task.facts.size());
    const Id variable = task.facts[fact].variable;
    if (static_cast<std::size_t>(variable) >= end || std::ranges::find(variables, variable) != variables.end())
      continue;
    variables.push_back(variable);
    facts.push_back(fact);
  }
  std::ranges::sort(facts);
  return facts;
}

}  // namespace

Task random_task(Random& random, bool with_axioms) {
  Task task;
  const std::size_t basic = 1 + static_cast<std::size_t>(random.below(8));
  const std::size_t derived = with_axioms ? 1 + static_cast<std::size_t>(random.below(5)) : 0;
  for (std::size_t v = 0; v < basic + derived; ++v) {
    Variable variable{static_cast<Id>(task.facts.size()), v < basic ? 1 + random.below(6) : 2, -1};
    if (v >= basic) variable.layer = static_cast<Id>(v - basic) / 2;
    for (Id value = 0; value < variable.values; ++value) task.facts.push_back({static_cast<Id>(v), value, false});
    task.variables.push_back(variable);
  }
  task.negated_facts_begin = static_cast<Id>(task.facts.size());
  for (Id fact = 0; fact < task.negated_facts_begin; ++fact) {
    const Fact& f = task.facts[fact];
    if (task.variables[f.variable].values > 2 && random.chance(30)) task.facts.push_back({f.variable, f.value, true});
  }
  task.conditions.close();
  for (Id a = random.below(30); a > 0; --a) {
    task.preconditions.append(random_condition(random, task, task.variables.size(), 4));
    for (Id e = random.below(random.chance(10) ? 80 : 4); e > 0; --e) {
      const Id variable = random.below(basic);
      Effect effect{task.variables[variable].first_fact + random.below(task.variables[variable].values), 0};
      if (random.chance(20)) {
        effect.condition = random.below(task.conditions.size());
      } else if (random.chance(40)) {
        effect.condition = static_cast<Id>(task.conditions.size());
        task.conditions.append(random_condition(random, task, task.variables.size(), 2));
      }
      task.effects.add(effect);
    }
    task.effects.close();
    task.costs.push_back(1);
    task.action_names.close();
  }
  for (std::size_t v = basic; v < basic + derived; ++v)
    for (Id x = 1 + random.below(3); x > 0; --x) {
      // Anything below its layer; of its own layer only what is true.
      std::vector<Id> body;
      for (Id fact : random_condition(random, task, task.variables.size(), 4)) {
        const Fact& f = task.facts[fact];
        const Id layer = task.variables[f.variable].layer;
        if (layer < task.variables[v].layer || (layer == task.variables[v].layer && f.value == 0)) body.push_back(fact);
      }
      if (body.empty()) body.push_back(random.below(static_cast<std::size_t>(task.variables[0].values)));
      task.axiom_heads.push_back(task.variables[v].first_fact);
      task.axiom_bodies.append(body);
    }
  task.initial_state = random_state(random, task);
  return task;
}

Task relaxable_task(Random& random, bool with_axioms) {
  Task task = random_task(random, with_axioms);
  for (Id i = 1 + random.below(3); i > 0; --i) {
    const Id fact = random.below(task.facts.size());
    const bool known = std::ranges::any_of(
        task.goal, [&](Id other) { return task.facts[other].variable == task.facts[fact].variable; });
    if (!known) task.goal.push_back(fact);
  }
  task.unit_cost = false;
  for (Id& cost : task.costs) cost = random.below(4);
  return task;
}

std::vector<Id> random_state(Random& random, const Task& task) {
  std::vector<Id> state;
  for (const Variable& variable : task.variables)
    state.push_back(variable.derived() ? 1 : random.below(variable.values));
  return state;
}
