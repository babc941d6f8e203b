#include <algorithm>

#include "check.hpp"
#include "landmarks/landmark_count.hpp"
#include "random_task.hpp"
#include "task/axioms.hpp"
#include "task/successors.hpp"

using namespace banditplan;

namespace {

/// A task whose goal is what a random walk has reached.
Task task_with_reached_goal(Random& random, bool with_axioms) {
  Task task = random_task(random, with_axioms);
  task.predicates = {"even", "odd"};
  for (Id fact = 0; fact < task.negated_facts_begin; ++fact) {
    task.fact_names.add(task.facts[fact].variable % 2);
    task.fact_names.close();
  }
  Monitor monitor;
  AxiomEvaluator(task, monitor).evaluate(task.initial_state.data());
  const SuccessorGenerator successors(task, monitor);
  SuccessorGenerator::Scratch scratch;
  Applier applier(task, monitor);
  std::vector<Id> state = task.initial_state, next = state;
  for (int step = 0; step < 20; ++step) {
    const std::span<const Id> actions = successors.applicable(state.data(), scratch);
    if (actions.empty()) break;
    applier.apply(actions[random.below(actions.size())], state.data(), next.data());
    state.swap(next);
  }
  task.goal.clear();
  for (std::size_t v = 0; v < state.size(); ++v)
    if (state[v] != task.initial_state[v]) task.goal.push_back(task.variables[v].first_fact + state[v]);
  return task;
}

}  // namespace

TEST(landmarks_of_walks_to_the_goal_are_all_passed) {
  ::Random random(3);
  std::size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const Task task = task_with_reached_goal(random, round % 2 == 0);
    Monitor monitor;
    const LandmarkGraph graph = find_landmarks(task, round % 3 == 0, monitor);
    CHECK(graph.reachable);
    LandmarkCount count(task, graph, monitor);
    const SuccessorGenerator successors(task, monitor);
    SuccessorGenerator::Scratch scratch;
    Applier applier(task, monitor);
    std::vector<std::vector<Id>> path = {task.initial_state};
    CHECK(count.start(0, path[0].data()) != kDeadEnd);
    for (Id step = 0; step < 30; ++step) {
      const std::span<const Id> actions = successors.applicable(path.back().data(), scratch);
      if (actions.empty()) break;
      std::vector<Id> next(path.back().size());
      const Id action = actions[random.below(actions.size())];
      applier.apply(action, path.back().data(), next.data());
      const Id h = count.evaluate(step, action, step + 1, next.data(), path.back().data());
      path.push_back(std::move(next));
      if (!holds(task, task.goal, path.back().data())) continue;
      CHECK(h != kDeadEnd);
      for (std::size_t l = 0; l < graph.size(); ++l)
        CHECK(std::ranges::any_of(path, [&](const std::vector<Id>& state) {
          return std::ranges::any_of(graph.facts[l], [&](Id fact) { return holds(task, fact, state.data()); });
        }));
      found += graph.size();
    }
  }
  CHECK(found > 500);
}
