#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "task/axioms.hpp"
#include "task_handle.hpp"

// The ground task as plain lists, and back: for tests and benchmarks, which check the core against slow code of their
// own and against planners that ground differently.

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

using Facts = std::vector<Id>;
using ConditionalFact = std::pair<Id, Facts>;  // an effect and its condition, or an axiom's head and its body

std::vector<Facts> to_vectors(const Lists<Id>& lists) {
  std::vector<Facts> result;
  for (std::size_t i = 0; i < lists.size(); ++i) result.emplace_back(lists[i].begin(), lists[i].end());
  return result;
}

nb::dict task_parts(const PyTask& self) {
  const Task& task = self.data->task;
  std::vector<std::pair<Id, Id>> variables;
  for (const Variable& variable : task.variables) variables.emplace_back(variable.values, variable.layer);
  std::vector<std::tuple<Id, Id, bool>> facts;
  for (const Fact& fact : task.facts) facts.emplace_back(fact.variable, fact.value, fact.negated);
  std::vector<std::vector<ConditionalFact>> effects(task.actions());
  for (std::size_t a = 0; a < task.actions(); ++a)
    for (const Effect& effect : task.effects[a]) {
      const auto condition = task.conditions[effect.condition];
      effects[a].push_back({effect.fact, {condition.begin(), condition.end()}});
    }
  std::vector<ConditionalFact> axioms;
  for (std::size_t x = 0; x < task.axioms(); ++x)
    axioms.push_back({task.axiom_heads[x], {task.axiom_bodies[x].begin(), task.axiom_bodies[x].end()}});
  nb::dict parts;
  parts["variables"] = variables;
  parts["facts"] = facts;
  parts["initial_state"] = task.initial_state;
  parts["goal"] = task.goal;
  parts["preconditions"] = to_vectors(task.preconditions);
  parts["effects"] = effects;
  parts["axioms"] = axioms;
  parts["mutexes"] = to_vectors(task.mutexes);
  return parts;
}

/// Facts are numbered variable by variable; `predicates` names the predicate of each, or nothing.
PyTask make_task(const std::vector<std::pair<Id, Id>>& variables, const std::vector<std::string>& predicates,
                 const std::vector<Id>& initial_state, const Facts& goal, const std::vector<Facts>& preconditions,
                 const std::vector<std::vector<ConditionalFact>>& effects, const std::vector<ConditionalFact>& axioms,
                 const std::vector<Facts>& mutexes) {
  Task task;
  for (const auto& [values, layer] : variables) {
    const auto number = static_cast<Id>(task.variables.size());
    task.variables.push_back({static_cast<Id>(task.facts.size()), values, layer});
    for (Id value = 0; value < values; ++value) task.facts.push_back({number, value, false});
  }
  if (predicates.size() != task.facts.size()) throw nb::value_error("one predicate per fact, please");
  task.negated_facts_begin = static_cast<Id>(task.facts.size());
  for (const std::string& predicate : predicates) {
    if (!predicate.empty()) {
      const auto known = std::ranges::find(task.predicates, predicate);
      task.fact_names.add(static_cast<Id>(known - task.predicates.begin()));
      if (known == task.predicates.end()) task.predicates.push_back(predicate);
    }
    task.fact_names.close();
  }
  task.conditions.close();
  task.schemas.push_back("action");
  for (std::size_t a = 0; a < effects.size(); ++a) {
    task.preconditions.append(preconditions.at(a));
    for (const auto& [fact, condition] : effects[a]) {
      task.effects.add({fact, condition.empty() ? 0 : static_cast<Id>(task.conditions.size())});
      if (!condition.empty()) task.conditions.append(condition);
    }
    task.effects.close();
    task.costs.push_back(1);
    task.action_names.append(Facts{0});
  }
  for (const auto& [head, body] : axioms) {
    task.axiom_heads.push_back(head);
    task.axiom_bodies.append(body);
  }
  for (const Facts& group : mutexes) task.mutexes.append(group);
  task.goal = goal;
  task.initial_state = initial_state;
  Monitor monitor;
  AxiomEvaluator(task, monitor).evaluate(task.initial_state.data());
  return {std::make_shared<TaskData>(std::move(task)), nb::none()};
}

}  // namespace

void bind_parts(nb::module_& module) {
  module.def("task_parts", &task_parts, "task"_a, nb::sig("def task_parts(task: Task) -> dict[str, typing.Any]"),
             "A ground task as plain lists.");
  module.def("make_task", &make_task, "variables"_a, "predicates"_a, "initial_state"_a, "goal"_a, "preconditions"_a,
             "effects"_a, "axioms"_a, "mutexes"_a, "A ground task from plain lists.");
}
