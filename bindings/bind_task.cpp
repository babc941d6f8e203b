#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "outside.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

std::vector<std::string> fact_names(const Task& task, std::span<const Id> facts) {
  std::vector<std::string> names;
  for (Id fact : facts) names.push_back(task.fact_name(fact));
  return names;
}

std::vector<std::string> true_facts(const PyState& state) {
  const Task& task = state.data->task;
  std::vector<std::string> names;
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    const Id fact = task.variables[v].first_fact + state.values[v];
    if (!task.fact_names[fact].empty()) names.push_back(task.fact_name(fact));
  }
  return names;
}

nb::tuple arguments(const PyAction& action) {
  const Task& task = action.data->task;
  nb::list result;
  for (Id object : task.action_names[action.id].subspan(1)) result.append(task.objects[object]);
  return nb::tuple(result);
}

std::vector<PyAction> actions(const TaskHandle& data, const std::vector<Id>& ids) {
  std::vector<PyAction> result;
  result.reserve(ids.size());
  for (Id id : ids) result.push_back({data, id});
  return result;
}

std::vector<PyAction> all_actions(const PyTask& self) {
  std::vector<Id> ids(self.data->task.actions());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<Id>(i);
  return actions(self.data, ids);
}

void same_task(const PyTask& task, const TaskHandle& other, const char* what) {
  if (task.data != other) throw nb::value_error((std::string(what) + " belongs to another task").c_str());
}

std::vector<PyAction> applicable(const PyTask& self, const PyState& state) {
  same_task(self, state.data, "the state");
  const auto successors =
      interruptible([&](Monitor& monitor) { return SuccessorGenerator::of(self.data->task, monitor); });
  std::vector<Id> ids;
  SuccessorGenerator::Stack stack;
  successors->applicable(state.values.data(), stack, ids);
  return actions(self.data, ids);
}

bool is_goal(const PyTask& self, const PyState& state) {
  same_task(self, state.data, "the state");
  const Task& task = self.data->task;
  return task.solvable && holds(task, task.goal, state.values.data());
}

PyState apply(const PyTask& self, const PyState& state, const PyAction& action) {
  same_task(self, state.data, "the state");
  same_task(self, action.data, "the action");
  const Task& task = self.data->task;
  if (!holds(task, task.preconditions[action.id], state.values.data()))
    throw nb::value_error(("(" + task.action_name(action.id) + ") is not applicable in this state").c_str());
  if (!self.data->applier) {
    Applier applier = interruptible([&](Monitor& monitor) { return Applier(task, monitor); });
    if (!self.data->applier) self.data->applier.emplace(std::move(applier));
  }
  PyState result{self.data, std::vector<Id>(state.values.size())};
  self.data->applier->apply(action.id, state.values.data(), result.values.data());
  return result;
}

}  // namespace

void bind_task(nb::module_& module) {
  nb::class_<PyState>(module, "State", "A state of a task; hashable, comparable.")
      .def_prop_ro("facts", &true_facts, "The atoms that are true.")
      .def_ro("values", &PyState::values, "The value of each variable.")
      .def(
          "__eq__",
          [](const PyState& self, nb::handle other) {
            PyState* state = nullptr;
            return nb::try_cast(other, state) && state && state->data == self.data && state->values == self.values;
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const PyState& state) {
             std::size_t hash = 0;
             for (Id value : state.values) hash = hash * 1000003 + static_cast<std::size_t>(value);
             return static_cast<Py_ssize_t>(hash >> 1);
           })
      .def("__repr__", [](const PyState& state) {
        std::string text = "State(";
        for (const std::string& fact : true_facts(state)) text += (text.size() > 6 ? " " : "") + fact;
        return text + ")";
      });

  nb::class_<PyAction>(module, "GroundAction", "An action of a ground task.")
      .def_ro("id", &PyAction::id)
      .def_prop_ro("name", [](const PyAction& a) { return a.data->task.schemas[a.data->task.action_names[a.id][0]]; })
      .def_prop_ro("arguments", &arguments, nb::sig("def arguments(self) -> tuple[str, ...]"))
      .def_prop_ro("cost", [](const PyAction& a) { return a.data->task.costs[a.id]; })
      .def_prop_ro("precondition",
                   [](const PyAction& a) { return fact_names(a.data->task, a.data->task.preconditions[a.id]); })
      .def("__repr__", [](const PyAction& a) { return "(" + a.data->task.action_name(a.id) + ")"; });

  nb::class_<PyTask>(module, "Task", "A ground task: grounded once, searched many times.")
      .def_prop_ro(
          "facts",
          [](const PyTask& t) {
            std::vector<std::string> names;
            for (Id fact = 0; fact < t.data->task.negated_facts_begin; ++fact)
              names.push_back(t.data->task.fact_name(fact));
            return names;
          },
          "The facts, variable by variable.")
      .def_prop_ro("actions", &all_actions, "The ground actions.")
      .def(
          "action",
          [](const PyTask& t, std::size_t id) {
            if (id >= t.data->task.actions()) throw nb::index_error("no such action");
            return PyAction{t.data, static_cast<Id>(id)};
          },
          "id"_a, "The ground action with the given id.")
      .def_rw("origin", &PyTask::origin, nb::for_getter(nb::sig("def origin(self, /) -> typing.Any")),
              nb::for_setter(nb::sig("def origin(self, value: typing.Any, /) -> None")), "What the task was made from.")
      .def_prop_ro("initial_state", [](const PyTask& t) { return PyState{t.data, t.data->task.initial_state}; })
      .def_prop_ro(
          "goal", [](const PyTask& t) { return fact_names(t.data->task, t.data->task.goal); },
          "The facts that must hold at the end.")
      .def(
          "fact",
          [](const PyTask& t, std::size_t id) {
            if (id >= t.data->task.facts.size()) throw nb::index_error("no such fact");
            return t.data->task.fact_name(static_cast<Id>(id));
          },
          "id"_a, "The fact with the given id, in words of PDDL.")
      .def("is_goal", &is_goal, "state"_a, "Whether the goal holds in the state.")
      .def("applicable", &applicable, "state"_a, "The actions that can be applied in the state.")
      .def("apply", &apply, "state"_a, "action"_a, "The state that follows.")
      .def_prop_ro(
          "unit_cost", [](const PyTask& t) { return t.data->task.unit_cost; }, "Whether every action counts 1.")
      .def_prop_ro(
          "solvable", [](const PyTask& t) { return t.data->task.solvable; },
          "False if grounding proved that the goal cannot be reached.")
      .def_prop_ro(
          "domain_sizes",
          [](const PyTask& t) {
            std::vector<Id> sizes;
            for (const Variable& variable : t.data->task.variables) sizes.push_back(variable.values);
            return sizes;
          },
          "The number of values of each variable.")
      .def_prop_ro(
          "sizes",
          [](const PyTask& t) {
            const Task& task = t.data->task;
            nb::dict sizes;
            sizes["variables"] = task.variables.size();
            sizes["facts"] = task.negated_facts_begin;
            sizes["actions"] = task.actions();
            sizes["axioms"] = task.axioms();
            sizes["bytes_per_state"] = StatePacker(task).words() * sizeof(std::uint32_t);
            return sizes;
          },
          nb::sig("def sizes(self) -> banditplan.result.TaskSizes"),
          "Variables, facts, actions, axioms, bytes per packed state.")
      .def(
          "_repr_html_",
          [](nb::handle self) { return nb::module_::import_("banditplan.notebook").attr("task_html")(self); },
          nb::sig("def _repr_html_(self) -> str"))
      .def("__repr__", [](const PyTask& t) {
        return "<Task: " + std::to_string(t.data->task.variables.size()) + " variables, " +
               std::to_string(t.data->task.actions()) + " actions>";
      });

  module.def("peak_memory_kb", &peak_memory_kb, "The most memory that this process ever had resident.");
  module.def("resident_memory_kb", &resident_memory_kb, "The memory that this process has resident now.");
}
