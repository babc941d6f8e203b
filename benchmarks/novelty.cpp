// How many states per second get their novelty of width 2, beside a loop over pairs: random walks in a task with a
// hundred variables of ten values each, 1,000 facts. Both must agree.

#include <cstdio>
#include <ctime>
#include <vector>

#include "novelty/novelty.hpp"
#include "random.hpp"

using namespace banditplan;

namespace {

constexpr Id kVariables = 100, kValues = 10, kFacts = kVariables * kValues;
constexpr Id kChanges = 3, kChildren = 10;

/// Every action sets a few variables.
Task make_task(Random& random) {
  Task task;
  for (Id v = 0; v < kVariables; ++v) {
    task.variables.push_back({v * kValues, kValues});
    for (Id value = 0; value < kValues; ++value) task.facts.push_back({v, value, false});
    task.initial_state.push_back(0);
  }
  task.negated_facts_begin = kFacts;
  task.conditions.close();
  for (int a = 0; a < 1000; ++a) {
    for (Id i = 0; i < kChanges; ++i) task.effects.add({static_cast<Id>(random.below(kFacts)), 0});
    task.effects.close();
    task.preconditions.close();
    task.action_names.close();
  }
  return task;
}

struct Step {
  Id parent, action;
};

struct Walk {
  std::vector<std::vector<Id>> states;
  std::vector<Step> steps;  // of all states but the first
};

/// Expansions of states chosen at random, with a few children each.
Walk make_walk(const Task& task, Random& random, std::size_t states) {
  Walk walk;
  walk.states.push_back(task.initial_state);
  while (walk.states.size() < states) {
    const auto parent = random.below(static_cast<std::uint32_t>(walk.states.size()));
    for (Id child = 0; child < kChildren; ++child) {
      const auto action = static_cast<Id>(random.below(1000));
      std::vector<Id> values = walk.states[parent];
      for (const Effect& effect : task.effects[action])
        values[task.facts[effect.fact].variable] = task.facts[effect.fact].value;
      walk.states.push_back(std::move(values));
      walk.steps.push_back({static_cast<Id>(parent), action});
    }
  }
  return walk;
}

/// A bit per pair; where the parent was seen, only pairs with a fact that is new are looked at.
class Pairs {
 public:
  int enter(const std::vector<Id>& state, const std::vector<Id>* parent) {
    int result = 3;
    for (Id v = 0; v < kVariables; ++v) {
      if (parent && state[v] == (*parent)[v]) continue;
      for (Id w = 0; w < kVariables; ++w) {
        const Id f = v * kValues + state[v], g = w * kValues + state[w];
        std::vector<bool>::reference seen = seen_[static_cast<std::size_t>(std::min(f, g)) * kFacts + std::max(f, g)];
        if (!seen) result = std::min(result, f == g ? 1 : 2);
        seen = true;
      }
    }
    return result;
  }

 private:
  std::vector<bool> seen_ = std::vector<bool>(static_cast<std::size_t>(kFacts) * kFacts);
};

template <class Evaluate>
double states_per_second(const Walk& walk, Evaluate&& evaluate, std::vector<int>& values) {
  const auto begin = std::clock();
  for (std::size_t i = 0; i < walk.states.size(); ++i) values.push_back(evaluate(i));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return static_cast<double>(walk.states.size()) / seconds;
}

/// Loops over all pairs or, with the shortcut, over those with a fact that is new, where the parent's pairs were seen.
double measure_pairs(const Walk& walk, std::size_t partitions, bool shortcut, std::vector<int>& values) {
  std::vector<Pairs> pairs(partitions);
  return states_per_second(
      walk,
      [&](std::size_t i) {
        const std::size_t parent = i == 0 ? 0 : static_cast<std::size_t>(walk.steps[i - 1].parent);
        const bool seen = shortcut && i > 0 && parent % partitions == i % partitions;
        return pairs[i % partitions].enter(walk.states[i], seen ? &walk.states[parent] : nullptr);
      },
      values);
}

struct Measured {
  double states_per_second;
  std::size_t bytes;
};

Measured measure_table(const Task& task, const Walk& walk, std::size_t partitions, std::vector<int>& values) {
  Monitor monitor;
  Novelty novelty(task, 2, std::size_t{1} << 30, monitor);
  const double speed = states_per_second(
      walk,
      [&](std::size_t i) {
        const auto partition = static_cast<Id>(i % partitions);
        if (i == 0) return novelty.start(0, walk.states[0].data(), {&partition, 1});
        const auto [parent, action] = walk.steps[i - 1];
        return novelty.evaluate(parent, action, static_cast<Id>(i), walk.states[i].data(), walk.states[parent].data(),
                                {&partition, 1});
      },
      values);
  return {speed, novelty.table().bytes()};
}

/// Whether all of them say the same.
bool compare(const Task& task, const Walk& walk, std::size_t partitions) {
  std::vector<int> ours, all, some;
  const auto [fast, bytes] = measure_table(task, walk, partitions, ours);
  const double pairs = measure_pairs(walk, partitions, false, all);
  const double new_pairs = measure_pairs(walk, partitions, true, some);
  const bool agree = ours == all && ours == some;
  std::printf(
      "novelty of width 2, 1,000 facts, partitions: %zu; states per CPU second: %.0f; over all pairs: %.0f (%.1f ×); "
      "over pairs with new facts: %.0f (%.1f ×); kB per partition: %zu%s\n",
      partitions, fast, pairs, fast / pairs, new_pairs, fast / new_pairs, bytes / partitions / 1000,
      agree ? "" : "; they DIFFER");
  return agree;
}

}  // namespace

int main() {
  Random random(1);
  const Task task = make_task(random);
  const Walk walk = make_walk(task, random, 100000);
  bool agree = true;
  for (const std::size_t partitions : {1, 16, 1000, 4000}) agree = compare(task, walk, partitions) && agree;
  return agree ? 0 : 1;
}
