// The steps of relaxed plans on random tasks: against a slow version of the plan's order, and when it is time for one.

#include <algorithm>
#include <set>

#include "check.hpp"
#include "random_task.hpp"
#include "searches/relaxed_steps.hpp"
#include "task/axioms.hpp"
#include "task/successors.hpp"

using namespace banditplan;

namespace {

/// Whether the actions reach the goal if nothing is ever made false.
bool is_relaxed_plan(const Task& task, const std::set<Id>& actions, const std::vector<Id>& state) {
  std::set<Id> reached;
  for (std::size_t f = 0; f < task.facts.size(); ++f) {
    const auto fact = static_cast<Id>(f);
    const bool granted = task.variables[task.facts[f].variable].derived() && task.facts[f].value == 1;
    if (granted || holds(task, fact, state.data())) reached.insert(fact);
  }
  const auto all = [&](std::span<const Id> facts) {
    return std::ranges::all_of(facts, [&](Id fact) { return reached.contains(fact); });
  };
  for (std::size_t before = 0; before < reached.size();) {
    before = reached.size();
    for (Id action : actions)
      for (const Effect& effect : task.effects[action]) {
        if (!all(task.preconditions[action]) || !all(task.conditions[effect.condition])) continue;
        reached.insert(effect.fact);
        const Fact& made = task.facts[effect.fact];
        for (std::size_t f = task.negated_facts_begin; f < task.facts.size(); ++f)
          if (task.facts[f].variable == made.variable && task.facts[f].value != made.value)
            reached.insert(static_cast<Id>(f));
      }
    for (std::size_t x = 0; x < task.axioms(); ++x)
      if (all(task.axiom_bodies[x])) reached.insert(task.axiom_heads[x]);
  }
  return all(task.goal);
}

/// How many preconditions of the others hold, and become false by an effect of the action.
int slow_harm(const Task& task, Id action, const std::vector<Id>& left, const std::vector<Id>& state) {
  int sum = 0;
  for (const Effect& effect : task.effects[action]) {
    if (!holds(task, task.conditions[effect.condition], state.data())) continue;
    std::vector<Id> after = state;
    after[task.facts[effect.fact].variable] = task.facts[effect.fact].value;
    for (Id other : left)
      for (Id fact : task.preconditions[other])
        sum += other != action && holds(task, fact, state.data()) && !holds(task, fact, after.data());
  }
  return sum;
}

/// The action to be made next; -1: none applies.
Id slow_next(const Task& task, const std::vector<Id>& left, const std::vector<Id>& state) {
  Id best = -1;
  int least = 0;
  for (Id action : left) {
    if (!holds(task, task.preconditions[action], state.data())) continue;
    const int harm = slow_harm(task, action, left, state);
    if (best >= 0 && harm >= least) continue;
    best = action;
    least = harm;
  }
  return best;
}

/// The actions of the plan, those whose preconditions come first first; none at a dead end.
std::optional<std::vector<Id>> plan_from(const Task& task, const std::vector<Id>& state) {
  Monitor monitor;
  const RelaxedNetwork network(task, CostType::unit, monitor);
  Exploration<Sum> exploration(task, network);
  exploration.run(state.data());
  if (!exploration.goal_reached()) return std::nullopt;
  RelaxedPlan plan(task, network);
  plan.extract([&](Id fact) { return exploration.supporter(fact); });
  std::vector<std::pair<Id, Id>> ordered;
  for (Id action : plan.actions()) {
    Id latest = 0;
    for (Id fact : task.preconditions[action]) latest = std::max(latest, exploration.cost(fact));
    ordered.push_back({latest, action});
  }
  std::ranges::sort(ordered);
  std::vector<Id> actions;
  for (const auto& [latest, action] : ordered) actions.push_back(action);
  return actions;
}

}  // namespace

TEST(relaxed_steps_are_made_as_far_as_they_go) {
  Random random(61);
  int dead_ends = 0, made = 0, unfinished = 0, harmful = 0;
  for (int round = 0; round < 1500; ++round) {
    const Task task = relaxable_task(random, round % 2 == 0);
    Monitor monitor;
    RelaxedSteps steps(task, monitor);
    Applier applier(task, monitor);
    for (int i = 0; i < 4; ++i) {  // the same object, whether or not all steps were asked for before
      std::vector<Id> state = random_state(random, task), next(state.size());
      applier.derive(state.data());
      steps.begin(state.data());
      std::optional<std::vector<Id>> left = plan_from(task, state);
      if (!left) {
        ++dead_ends;
        CHECK(!steps.next(state.data()));
        continue;
      }
      CHECK(is_relaxed_plan(task, {left->begin(), left->end()}, state));
      for (int limit = random.chance(30) ? 2 : 1000; limit > 0; --limit) {
        const std::optional<Id> step = steps.next(state.data());
        CHECK(step.value_or(-1) == slow_next(task, *left, state));
        if (!step) {
          unfinished += !left->empty();
          break;
        }
        CHECK(holds(task, task.preconditions[*step], state.data()));
        CHECK(std::erase(*left, *step) == 1);
        harmful += slow_harm(task, *step, *left, state) > 0;
        applier.apply(*step, state.data(), next.data());
        state.swap(next);
        ++made;
      }
    }
  }
  CHECK(dead_ends > 500);
  CHECK(made > 1000);
  CHECK(unfinished > 100);
  CHECK(harmful > 20);
}

TEST(relaxed_plans_become_rare_where_they_are_of_no_use) {
  Random random(62);
  const Task task = relaxable_task(random, false);
  Monitor monitor;
  RelaxedSteps steps(task, monitor);
  for (int longest : {40, 3}) {
    for (int useless = 1; useless <= longest; ++useless) {
      CHECK(steps.due());
      steps.judge(false);
      for (int pause = std::min(useless, RelaxedSteps::kLongestPause); pause > 0; --pause) {
        CHECK(!steps.due());
        steps.judge(pause % 2 == 0);  // of no plan
      }
    }
    CHECK(steps.due());
    steps.judge(true);
    CHECK(steps.due());
    steps.judge(true);
  }
}
