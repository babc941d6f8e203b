// The network of the delete relaxation, the exploration and the relaxed plan, each alone, on random tasks.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "check.hpp"
#include "heuristics/exploration.hpp"
#include "heuristics/lanes/lane_kernel.hpp"
#include "heuristics/relaxation.hpp"
#include "heuristics/scalar_kernel.hpp"
#include "random_task.hpp"
#include "task/axioms.hpp"

using namespace banditplan;

namespace {

constexpr std::int64_t kInfinite = std::int64_t{1} << 60;

struct SlowWay {
  Id action;
  std::int64_t cost;
  std::set<Id> needs, gives;
};

Id cost_of(const Task& task, Id action, CostType type) {
  return type == CostType::unit ? 1 : task.costs[action] + (type == CostType::plusone ? 1 : 0);
}

/// One way per effect, one per axiom: nothing shared, nothing left out.
std::vector<SlowWay> slow_ways(const Task& task, CostType type) {
  std::vector<SlowWay> ways;
  for (std::size_t a = 0; a < task.actions(); ++a)
    for (const Effect& effect : task.effects[a]) {
      SlowWay way{static_cast<Id>(a), cost_of(task, static_cast<Id>(a), type), {}, {effect.fact}};
      way.needs.insert(task.preconditions[a].begin(), task.preconditions[a].end());
      const auto condition = task.conditions[effect.condition];
      way.needs.insert(condition.begin(), condition.end());
      const Fact& set = task.facts[effect.fact];
      for (std::size_t f = task.negated_facts_begin; f < task.facts.size(); ++f)
        if (task.facts[f].variable == set.variable && task.facts[f].value != set.value)
          way.gives.insert(static_cast<Id>(f));
      ways.push_back(way);
    }
  for (std::size_t x = 0; x < task.axioms(); ++x) {
    const auto body = task.axiom_bodies[x];
    ways.push_back({-1, 0, {body.begin(), body.end()}, {task.axiom_heads[x]}});
  }
  return ways;
}

bool true_or_granted(const Task& task, Id fact, const std::vector<Id>& state) {
  const Fact& f = task.facts[fact];
  return holds(task, fact, state.data()) || (task.variables[f.variable].derived() && f.value == 1 && !f.negated);
}

std::vector<std::int64_t> slow_costs(const Task& task, const std::vector<SlowWay>& ways, const std::vector<Id>& state,
                                     bool add) {
  std::vector<std::int64_t> costs;
  for (std::size_t f = 0; f < task.facts.size(); ++f)
    costs.push_back(true_or_granted(task, static_cast<Id>(f), state) ? 0 : kInfinite);
  for (bool changed = true; changed;) {
    changed = false;
    for (const SlowWay& way : ways) {
      std::int64_t cost = 0;
      for (Id fact : way.needs) cost = std::min(kInfinite, add ? cost + costs[fact] : std::max(cost, costs[fact]));
      for (Id fact : way.gives)
        if (cost < kInfinite && cost + way.cost < costs[fact]) {
          costs[fact] = cost + way.cost;
          changed = true;
        }
    }
  }
  return costs;
}

template <class Combine>
void check_costs(const Task& task, CostType type, const std::vector<Id>& state, bool add) {
  Monitor monitor;
  const RelaxedNetwork network(task, type, monitor);
  const auto costs = slow_costs(task, slow_ways(task, type), state, add);
  Exploration<Combine> exploration(task, network);
  std::vector<Id> order;
  exploration.run(state.data(), &order);  // to the end
  bool right = true;
  for (std::size_t f = 0; f < task.facts.size(); ++f) {
    const bool read =
        !network.readers[f].empty() || std::ranges::find(task.goal, static_cast<Id>(f)) != task.goal.end();
    if (read) right &= exploration.cost(static_cast<Id>(f)) == (costs[f] == kInfinite ? kUnreached : costs[f]);
  }
  CHECK(right);
  CHECK(std::set<Id>(order.begin(), order.end()).size() == order.size());  // an operator fires once
  exploration.run(state.data());                                           // to the goal
  for (Id fact : task.goal) CHECK(exploration.cost(fact) == (costs[fact] == kInfinite ? kUnreached : costs[fact]));
}

void check_network(const Task& task, CostType type, const RelaxedNetwork& network) {
  CHECK(std::ranges::is_sorted(network.action_of.begin(), std::ranges::find(network.action_of, -1)));
  std::set<std::pair<Id, std::vector<Id>>> distinct;
  for (std::size_t op = 0; op < network.operators(); ++op) {
    const auto needs = network.preconditions[op];
    CHECK(std::ranges::is_sorted(needs));
    distinct.insert({network.costs[op], {needs.begin(), needs.end()}});
    for (Id fact : needs)
      CHECK(std::ranges::find(network.readers[fact], static_cast<Id>(op)) != network.readers[fact].end());
    CHECK(needs.empty() == (std::ranges::find(network.free, static_cast<Id>(op)) != network.free.end()));
    if (network.costs[op] == 0) CHECK(network.has_free_ways);
  }
  if (network.is_in_order) CHECK(distinct.size() == network.operators());
  std::size_t adds = 0;
  for (std::size_t fact = 0; fact < network.facts; ++fact)
    for (Id way : network.achievers[fact]) {
      ++adds;
      CHECK(std::ranges::any_of(network.adds[network.operator_of[way]], [&](const RelaxedNetwork::Add& add) {
        return add.fact == static_cast<Id>(fact) && add.way == way;
      }));
    }
  CHECK(adds == network.adds.total());
  // Whoever adds a fact that is read is an achiever of it, or an earlier one is as good.
  for (const SlowWay& way : slow_ways(task, type))
    for (Id fact : way.gives) {
      const bool read = !network.readers[fact].empty() || std::ranges::find(task.goal, fact) != task.goal.end();
      if (!read || way.needs.contains(fact)) continue;
      // A way that needs another value has the negations of the others, before it is used.
      const Fact& given = task.facts[fact];
      if (given.negated && std::ranges::any_of(way.needs, [&](Id need) {
            const Fact& needed = task.facts[need];
            return !needed.negated && needed.variable == given.variable && needed.value != given.value;
          }))
        continue;
      CHECK(std::ranges::any_of(network.achievers[fact], [&](Id achiever) {
        const Id op = network.operator_of[achiever];
        const Id action = network.action_of[achiever];
        return network.costs[op] <= way.cost && (way.action < 0 || (action >= 0 && action <= way.action)) &&
               std::ranges::includes(way.needs, network.preconditions[op]);
      }));
    }
}

}  // namespace

TEST(network_describes_every_way) {
  Random random(31);
  for (int round = 0; round < 400; ++round) {
    const Task task = relaxable_task(random, round % 2 == 0);
    for (CostType type : {CostType::unit, CostType::plan, CostType::plusone}) {
      Monitor monitor;
      check_network(task, type, RelaxedNetwork(task, type, monitor));
      const auto in_order = RelaxedNetwork::in_order(task, type, monitor);
      CHECK(in_order->is_in_order);
      check_network(task, type, *in_order);
    }
  }
}

TEST(exploration_finds_the_costs_of_facts) {
  Random random(32);
  for (int round = 0; round < 400; ++round) {
    const Task task = relaxable_task(random, round % 2 == 0);
    for (int i = 0; i < 4; ++i) {
      const std::vector<Id> state = random_state(random, task);
      for (CostType type : {CostType::unit, CostType::plan, CostType::plusone}) {
        check_costs<Sum>(task, type, state, true);
        check_costs<Max>(task, type, state, false);
      }
    }
  }
}

TEST(relaxed_plans_reach_the_goal_without_circles) {
  Random random(33);
  std::size_t longest = 0;
  for (int round = 0; round < 1500; ++round) {
    const Task task = relaxable_task(random, round % 2 == 0);
    const std::vector<Id> state = random_state(random, task);
    for (CostType type : {CostType::unit, CostType::plan, CostType::plusone}) {
      Monitor monitor;
      const RelaxedNetwork network(task, type, monitor);
      Exploration<Sum> exploration(task, network);
      exploration.run(state.data());
      if (!exploration.goal_reached()) continue;
      RelaxedPlan plan(task, network);
      plan.extract([&](Id fact) { return exploration.supporter(fact); });
      std::set<Id> todo(plan.facts().begin(), plan.facts().end());
      for (Id fact : todo) CHECK(!true_or_granted(task, fact, state));
      // Each fact is added by its supporter, once the supporter's needs have been met.
      for (std::size_t before = todo.size() + 1; todo.size() < before;) {
        before = todo.size();
        std::erase_if(todo, [&](Id fact) {
          const auto needs = network.preconditions[network.operator_of[exploration.supporter(fact)]];
          return std::ranges::none_of(needs, [&](Id need) { return todo.contains(need); });
        });
      }
      CHECK(todo.empty());
      std::set<Id> actions;
      for (Id fact : plan.facts()) {
        const Id way = exploration.supporter(fact);
        CHECK(std::ranges::find(network.achievers[fact], way) != network.achievers[fact].end());
        if (network.action_of[way] >= 0) actions.insert(network.action_of[way]);
      }
      for (Id fact : task.goal)
        CHECK(true_or_granted(task, fact, state) || std::ranges::find(plan.facts(), fact) != plan.facts().end());
      CHECK(actions == std::set<Id>(plan.actions().begin(), plan.actions().end()));
      CHECK(actions.size() == plan.actions().size());
      longest = std::max(longest, actions.size());
    }
  }
  CHECK(longest >= 3);
}

TEST(cost_queue_is_first_in_first_out_among_equals) {
  Random random(34);
  for (int round = 0; round < 200; ++round) {
    CostQueue queue;
    for (int again = 0; again < 2; ++again) {  // cleared in the middle, too
      queue.clear();
      std::map<Id, std::vector<Id>> expected;
      Id now = 0, fact = 0, left = 0;
      const Id step = round % 2 == 0 ? 5 : 3000;  // beyond the buckets
      for (int i = 0; i < 200; ++i) {
        if (random.chance(60)) {
          const Id cost = now + random.below(static_cast<std::size_t>(step));
          queue.push(cost, fact);
          expected[cost].push_back(fact++);
          ++left;
        } else if (left > 0) {
          const auto first = expected.begin();
          now = queue.peek();
          CHECK(now == first->first);
          CHECK(queue.pop() == first->second.front());
          first->second.erase(first->second.begin());
          if (first->second.empty()) expected.erase(first);
          --left;
        } else {
          CHECK(queue.peek() == CostQueue::kEmpty);
          break;
        }
      }
    }
  }
}

namespace {

/// What a kernel says of states.
struct Opinion {
  Opinion(Evaluator& kernel, std::span<const Id> states, std::size_t count) : values(count) {
    kernel.evaluate(states, values, &actions);
  }
  bool operator==(const Opinion& other) const {
    return values == other.values && std::ranges::equal(actions.starts(), other.actions.starts()) &&
           std::ranges::equal(actions.items(), other.actions.items());
  }
  std::ptrdiff_t reached() const {
    return std::ranges::count_if(values, [](Id h) { return h != kDeadEnd && h > 0; });
  }

  std::vector<Id> values;
  Lists<Id> actions;
};

/// One after the other; goals are made true with so many percent.
std::vector<Id> random_states(Random& random, const Task& task, AxiomEvaluator& axioms, std::size_t count,
                              int percent) {
  std::vector<Id> states;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Id> state = random_state(random, task);
    for (Id goal : task.goal)
      if (goal < static_cast<Id>(task.negated_facts_begin) && random.chance(percent))
        state[task.facts[goal].variable] = task.facts[goal].value;
    axioms.evaluate(state.data());
    states.insert(states.end(), state.begin(), state.end());
  }
  return states;
}

}  // namespace

/// Of axioms, too: supporters that cost the same are told apart by their steps.
TEST(kernels_agree_on_values_and_preferred_actions) {
  Random random(35);
  std::size_t reached = 0, recommended = 0;
  for (int round = 0; round < 2500; ++round) {
    const Task task = relaxable_task(random, round % 4 != 0);
    Monitor monitor;
    const RelaxedNetwork network(task, CostType::unit, monitor);
    if (network.operators() == 0) continue;
    AxiomEvaluator axioms(task, monitor);
    const std::size_t count = 1 + static_cast<std::size_t>(random.below(40));
    const std::vector<Id> states = random_states(random, task, axioms, count, 0);
    for (const RelaxationOptions& options : {RelaxationOptions{},
                                             {Estimate::relaxed_plan, CostType::unit, PreferredType::helpful},
                                             {Estimate::add, CostType::unit, PreferredType::relaxed_plan},
                                             {Estimate::max, CostType::unit, PreferredType::relaxed_plan}}) {
      const auto scalar = make_scalar_kernel(task, network, options, monitor);
      const Opinion expected(*scalar, states, count);
      for (const char* name : {"plain", "avx2", "avx512"}) {
        const LaneProgram* program = find_lane_program(name);
        if (!program) continue;
        const auto lanes = make_lane_kernel(task, network, options, *program, *scalar, monitor);
        CHECK(Opinion(*lanes, states, count) == expected);
      }
      reached += static_cast<std::size_t>(expected.reached());
      recommended += expected.actions.total();
    }
  }
  CHECK(reached > 10'000);
  CHECK(recommended > 5'000);
}

/// Over many batches, in which goals come and go: what leads to those that stay true is left out.
TEST(kernels_agree_however_long_they_work) {
  Random random(38);
  std::size_t reached = 0, recommended = 0;
  for (int round = 0; round < 60; ++round) {
    const Task task = relaxable_task(random, round % 4 != 0);
    Monitor monitor;
    const RelaxedNetwork network(task, CostType::unit, monitor);
    if (network.operators() == 0) continue;
    AxiomEvaluator axioms(task, monitor);
    for (const PreferredType type : {PreferredType::relaxed_plan, PreferredType::helpful}) {
      const RelaxationOptions options{Estimate::relaxed_plan, CostType::unit, type};
      const auto scalar = make_scalar_kernel(task, network, options, monitor);
      const auto lanes = make_lane_kernel(task, network, options, *find_lane_program(), *scalar, monitor);
      for (int batch = 0; batch < 300; ++batch) {
        const std::size_t count = 1 + static_cast<std::size_t>(random.below(4));
        const std::vector<Id> states = random_states(random, task, axioms, count, batch % 40 < 30 ? 95 : 50);
        const Opinion expected(*scalar, states, count);
        CHECK(Opinion(*lanes, states, count) == expected);
        reached += static_cast<std::size_t>(expected.reached());
        recommended += expected.actions.total();
      }
    }
  }
  CHECK(reached > 5'000);
  CHECK(recommended > 5'000);
}

/// What is true follows at no cost: so look-ahead need not evaluate axioms.
TEST(values_do_not_depend_on_derived_variables) {
  Random random(36);
  std::size_t derived_true = 0, goals = 0;
  for (int round = 0; round < 1500; ++round) {
    const Task task = relaxable_task(random, true);
    Monitor monitor;
    const RelaxedNetwork network(task, CostType::unit, monitor);
    if (network.operators() == 0) continue;
    AxiomEvaluator axioms(task, monitor);
    const std::size_t count = 1 + static_cast<std::size_t>(random.below(40)), width = task.variables.size();
    std::vector<Id> states;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Id> state = random_state(random, task);
      axioms.evaluate(state.data());
      states.insert(states.end(), state.begin(), state.end());
    }
    std::vector<Id> basic = states;
    for (std::size_t i = 0; i < states.size(); ++i)
      if (task.variables[i % width].derived()) derived_true += std::exchange(basic[i], 1) == 0;
    for (Estimate estimate : {Estimate::relaxed_plan, Estimate::add, Estimate::max}) {
      const RelaxationOptions options{estimate, CostType::unit, PreferredType::relaxed_plan};
      const auto scalar = make_scalar_kernel(task, network, options, monitor);
      const auto lanes = make_lane_kernel(task, network, options, *find_lane_program(), *scalar, monitor);
      std::vector<Id> expected(count), by_scalar(count), by_lanes(count);
      scalar->evaluate(states, expected, nullptr);
      scalar->evaluate(basic, by_scalar, nullptr);
      lanes->evaluate(basic, by_lanes, nullptr);
      CHECK(by_scalar == expected);
      CHECK(by_lanes == expected);
      for (std::size_t i = 0; i < count; ++i) {
        if (!holds(task, task.goal, states.data() + i * width)) continue;
        CHECK(by_scalar[i] == 0);
        ++goals;
      }
    }
  }
  CHECK(derived_true > 1'000);
  CHECK(goals > 1'000);
}
