#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>

#include "bindings.hpp"
#include "outside.hpp"
#include "plans/rejoin.hpp"
#include "task/exclusion.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// The fact of a literal on an atom that is kept; facts for negations are added where there are none.
Id fact_of_literal(Task& task, Id fact, bool negated) {
  if (!negated) return fact;
  const Fact f = task.facts[fact];
  const Variable& variable = task.variables[f.variable];
  if (variable.values == 2) return variable.first_fact + 1 - f.value;
  const auto begin = task.facts.begin() + task.negated_facts_begin;
  const auto known = std::find_if(begin, task.facts.end(),
                                  [&](const Fact& g) { return g.variable == f.variable && g.value == f.value; });
  const auto id = static_cast<Id>(known - task.facts.begin());
  if (known == task.facts.end()) task.facts.push_back({f.variable, f.value, true});
  return id;
}

/// The task with another initial state or goal, or nothing if the goal is about facts that it does not have. The goal
/// is a list of atoms, each with whether it is negated.
std::optional<PyTask> replaced(const PyTask& self, const PyState* initial,
                               const std::optional<std::vector<std::pair<Id, bool>>>& goal) {
  if (initial) same_task(self.data, initial->data, "the state");
  const Atoms& atoms = self.data->atoms();
  Task task = self.data->task;
  if (initial) task.initial_state = initial->values;
  if (goal) {
    task.goal.clear();
    for (const auto& [atom, negated] : *goal) {
      switch (atoms.coverage().fates.at(atom)) {
        case Fate::kept:
          task.goal.push_back(fact_of_literal(task, atoms.coverage().facts[atom], negated));
          break;
        case Fate::always:
        case Fate::never:
          if ((atoms.coverage().fates[atom] == Fate::always) == negated) return std::nullopt;
          break;
        case Fate::irrelevant:
          return std::nullopt;
      }
    }
    std::ranges::sort(task.goal);
    task.goal.erase(std::unique(task.goal.begin(), task.goal.end()), task.goal.end());
    task.solvable = !exclude_each_other(task, task.goal);
  }
  return PyTask{std::make_shared<TaskData>(std::move(task), self.data->family), nb::none()};
}

/// The ids of the actions with the given names; -1 where there is none. Several actions may have one name: the one that
/// can be applied on the way from `start` is taken, as long as it can be followed.
std::vector<Id> action_ids(const PyTask& self, const std::vector<std::vector<std::string>>& steps,
                           const PyState* start) {
  const Task& task = self.data->task;
  if (start) same_task(self.data, start->data, "the state");
  std::map<std::string, Id> objects;
  for (std::size_t o = 0; o < task.objects.size(); ++o) objects.emplace(task.objects[o], static_cast<Id>(o));
  std::map<std::vector<Id>, std::vector<Id>> wanted;  // schema and objects → actions
  auto keys = [&](const std::vector<std::string>& step) {
    std::vector<std::vector<Id>> result;
    std::vector<Id> arguments;
    for (std::size_t i = 1; i < step.size(); ++i) {
      const auto object = objects.find(step[i]);
      if (object == objects.end()) return result;
      arguments.push_back(object->second);
    }
    for (std::size_t s = 0; s < task.schemas.size() && !step.empty(); ++s) {
      if (task.schemas[s] != step[0]) continue;
      result.push_back({static_cast<Id>(s)});
      result.back().insert(result.back().end(), arguments.begin(), arguments.end());
    }
    return result;
  };
  for (const auto& step : steps)
    for (std::vector<Id>& key : keys(step)) wanted.emplace(std::move(key), std::vector<Id>{});
  for (std::size_t a = 0; a < task.actions(); ++a) {
    const auto name = task.action_names[a];
    const auto found = wanted.find({name.begin(), name.end()});
    if (found != wanted.end()) found->second.push_back(static_cast<Id>(a));
  }
  std::optional<std::vector<Id>> state;
  if (start) state = start->values;
  Monitor monitor;
  Applier applier(task, monitor);
  std::vector<Id> result, next(task.variables.size());
  for (const auto& step : steps) {
    Id chosen = -1;
    bool applicable = false;
    for (const std::vector<Id>& key : keys(step))
      for (Id action : wanted[key]) {
        if (chosen < 0) chosen = action;
        if (!state || applicable || !holds(task, task.preconditions[action], state->data())) continue;
        chosen = action;
        applicable = true;
      }
    result.push_back(chosen);
    if (!applicable) state.reset();
    if (state) {
      applier.apply(chosen, state->data(), next.data());
      *state = next;
    }
  }
  return result;
}

/// Where a plan can be taken up.
struct PyRejoining {
  PyTask task;
  std::vector<Id> plan;
  Rejoining places;
};

PyRejoining rejoin(const PyTask& task, const std::vector<Id>& plan, const PyState* start) {
  const auto actions = static_cast<Id>(task.data->task.actions());
  for (Id action : plan)
    if (action < -1 || action >= actions) throw nb::index_error("no such action");
  std::optional<std::vector<Id>> from;
  if (start) {
    same_task(task.data, start->data, "the state");
    from = start->values;
  }
  Rejoining places = interruptible([&](Monitor& monitor) { return rejoining(task.data->task, plan, from, monitor); });
  return {task, plan, std::move(places)};
}

std::pair<PyTask, std::vector<Id>> without_actions(const PyTask& task, const std::vector<Id>& forbidden) {
  std::vector<bool> flags(task.data->task.actions(), false);
  for (Id action : forbidden) flags.at(static_cast<std::size_t>(action)) = true;
  Remainder rest = without(task.data->task, flags);
  return {PyTask{std::make_shared<TaskData>(std::move(rest.task)), nb::none()}, std::move(rest.actions)};
}

}  // namespace

void bind_replan(nb::module_& module) {
  module.def(
      "replaced", &replaced, "task"_a, "initial"_a.none(), "goal"_a.none(),
      "The ground task with another initial state, or another goal, a list of pairs of an atom and whether it is "
      "negated; None if the goal is about what was left out.");
  module.def("action_ids", &action_ids, "task"_a, "steps"_a, "start"_a = nb::none(),
             "The ids of actions given by names and arguments; -1 where the task has none.");
  module.def("without", &without_actions, "task"_a, "actions"_a,
             "The ground task without some actions, and the ids that the others had.");
  nb::class_<PyRejoining>(module, "Rejoining", "Where a plan can be taken up again.")
      .def_prop_ro(
          "kept_from", [](const PyRejoining& self) { return kept_from(self.task.data->task, self.places); },
          "The last place from which the rest of the plan leads from the initial state to the goal, if there is one.")
      .def_prop_ro(
          "first", [](const PyRejoining& self) { return self.places.first; }, "The first place that is known.")
      .def_prop_ro(
          "conditions",
          [](const PyRejoining& self) {
            std::vector<std::vector<Id>> result;
            for (std::size_t i = 0; i < self.places.conditions.size(); ++i)
              result.emplace_back(self.places.conditions[i].begin(), self.places.conditions[i].end());
            return result;
          },
          "Per place from the first one to the end of the plan: the facts with which the rest reaches the goal.")
      .def_prop_ro(
          "task",
          [](const PyRejoining& self) {
            Task task = with_places(self.task.data->task, self.plan, self.places);
            return PyTask{std::make_shared<TaskData>(std::move(task)), nb::none()};
          },
          "The task in which reaching any place ends the search, by one more action per place behind those of the "
          "task.");
  module.def("rejoin", &rejoin, "task"_a, "plan"_a, "start"_a = nb::none(),
             "Where a plan, a list of ids of actions, can be taken up; `start` is the state where it began.");
}
