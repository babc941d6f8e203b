#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "bindings.hpp"
#include "outside.hpp"
#include "state_array.hpp"
#include "states/batches.hpp"
#include "task/sas.hpp"
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

nb::tuple arguments(const PyAction& action) {
  const Task& task = action.data->task;
  nb::list result;
  for (Id object : task.action_names[action.id].subspan(1)) result.append(task.objects[object]);
  return nb::tuple(result);
}

std::vector<PyAction> actions(const TaskHandle& data, std::span<const Id> ids) {
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

std::vector<PyAction> applicable(const PyTask& self, const PyState& state) {
  same_task(self.data, state.data, "the state");
  const auto successors =
      interruptible([&](Monitor& monitor) { return SuccessorGenerator::of(self.data->task, monitor); });
  SuccessorGenerator::Scratch scratch;
  return actions(self.data, successors->applicable(state.values.data(), scratch));
}

bool is_goal(const PyTask& self, const PyState& state) {
  same_task(self.data, state.data, "the state");
  const Task& task = self.data->task;
  return task.solvable && holds(task, task.goal, state.values.data());
}

/// A call of a Python function with the task.
template <class... Arguments>
nb::object python(const char* module, const char* function, Arguments&&... arguments) {
  return nb::module_::import_(module).attr(function)(std::forward<Arguments>(arguments)...);
}

/// States given in any way: those of a state or a batch where they are, all others in `own`.
struct Rows {
  std::span<const Id> values = {};
  std::size_t count = 0;
  std::vector<Id> own = {};
};

Rows rows_of(const PyTask& self, nb::handle states) {
  if (const PyState* state = nullptr; nb::try_cast(states, state) && state) {
    same_task(self.data, state->data, "the state");
    return {state->values, 1};
  }
  if (const PyStates* rows = nullptr; nb::try_cast(states, rows) && rows) {
    same_task(self.data, rows->data, "the batch");
    return {rows->values, rows->count};
  }
  Rows result;
  StateArray array;
  if (std::vector<const PyState*> list; nb::try_cast(states, list)) {
    for (const PyState* state : list) {
      if (!state) throw nb::type_error("expected states, not None");
      same_task(self.data, state->data, "a state");
      result.own.insert(result.own.end(), state->values.begin(), state->values.end());
    }
    result.count = list.size();
  } else if (nb::try_cast(states, array)) {  // others may write to it while we read
    check_rows(self.data->task, array);
    result.own.assign(array.data(), array.data() + array.size());
    result.count = array.shape(0);
  } else {
    throw nb::type_error("expected a state, a list of states, a batch, or an int32 array with a row per state");
  }
  result.values = result.own;
  return result;
}

PyStates batch(const PyTask& self, nb::handle states) {
  Rows rows = rows_of(self, states);
  if (rows.own.empty()) rows.own.assign(rows.values.begin(), rows.values.end());
  return {self.data, std::move(rows.own), rows.count};
}

PyTransitions successors_of(const PyTask& self, nb::handle states) {
  const Rows rows = rows_of(self, states);
  return {self.data, interruptible([&](Monitor& monitor) {
            return successors(self.data->task, rows.values, rows.count, monitor);
          })};
}

PyTransitions walks_of(const PyTask& self, std::size_t walks, std::size_t steps, std::uint64_t seed,
                       const PyState* start) {
  if (start) same_task(self.data, start->data, "the state");
  const std::vector<Id>& values = start ? start->values : self.data->task.initial_state;
  return {self.data, interruptible([&](Monitor& monitor) {
            return random_walks(self.data->task, values, walks, steps, seed, monitor);
          })};
}

PyStates apply_rows(const PyTask& self, nb::handle states, const std::vector<Id>& actions) {
  const Task& task = self.data->task;
  const Rows rows = rows_of(self, states);
  if (rows.count != actions.size())
    throw nb::value_error(("expected an action per state: " + std::to_string(rows.count) + " states, " +
                           std::to_string(actions.size()) + " actions")
                              .c_str());
  for (Id action : actions)
    if (action < 0 || action >= static_cast<Id>(task.actions())) throw nb::index_error("no such action");
  PyStates result{self.data, std::vector<Id>(rows.values.size()), actions.size()};
  const std::ptrdiff_t failed =
      interruptible([&](Monitor& monitor) { return apply_each(task, rows.values, actions, result.values, monitor); });
  if (failed >= 0)
    throw nb::value_error(("(" + task.action_name(actions[static_cast<std::size_t>(failed)]) +
                           ") is not applicable in state " + std::to_string(failed))
                              .c_str());
  return result;
}

using ActionArray = nb::ndarray<const Id, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

PyStates apply_array(const PyTask& self, const PyStates& states, const ActionArray& actions) {
  return apply_rows(self, nb::cast(states, nb::rv_policy::reference),
                    {actions.data(), actions.data() + actions.size()});
}

nb::object fit(const PyTask& self, const std::vector<Id>& ids, const std::vector<std::string>& names) {
  const Task& task = self.data->task;
  const Atoms& atoms = self.data->atoms();
  std::vector<bool> named(task.predicates.size(), false);
  for (const std::string& name : names)
    if (const auto predicate = atoms.predicate(name)) named[*predicate] = true;
  for (Id id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= atoms.coverage().facts.size()) throw nb::index_error("no such atom");
  PyState state{self.data, {}};
  const auto misfit =
      interruptible([&](Monitor& monitor) { return atoms.fit(task, ids, named, state.values, monitor); });
  if (!misfit) return nb::cast(std::move(state));
  constexpr const char* kKinds[] = {"unreachable", "constant", "together", "none", "underived"};
  return nb::make_tuple(kKinds[static_cast<std::size_t>(misfit->kind)], atoms.text(task, misfit->atom));
}

PyState apply(const PyTask& self, const PyState& state, const PyAction& action) {
  same_task(self.data, state.data, "the state");
  same_task(self.data, action.data, "the action");
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
      .def(
          "sas", [](const PyTask& t) { return to_sas(t.data->task); },
          "The task as Fast Downward's search component reads it: the translator's format, version 3.")
      .def("apply", &apply_array, "states"_a, "actions"_a)
      .def("apply", &apply_rows, "states"_a, "actions"_a,
           nb::sig("def apply(self, states: States | collections.abc.Sequence[State] | "
                   "numpy.typing.NDArray[numpy.int32], actions: "
                   "collections.abc.Sequence[int] | numpy.typing.NDArray[numpy.int32]) -> States"),
           "The states that follow, where each state has an action of its own, given by its id.")
      .def("states", &batch, "states"_a,
           nb::sig("def states(self, states: State | collections.abc.Sequence[State] | States | "
                   "numpy.typing.NDArray[numpy.int32]) -> States"),
           "A batch of states, from a list of them or from an int32 array of the variables' values.")
      .def("successors", &successors_of, "states"_a,
           nb::sig("def successors(self, states: State | collections.abc.Sequence[State] | States | "
                   "numpy.typing.NDArray[numpy.int32]) -> Transitions"),
           "All successors of a state, or of many states, with the actions that lead there.")
      .def("random_walks", &walks_of, "walks"_a, "steps"_a, "seed"_a = 0, "start"_a = nb::none(),
           "So many walks by random applicable actions, from the initial state or another one, each of so many steps "
           "unless it has nowhere to go.")
      .def(
          "state", [](nb::handle self, nb::handle facts) { return python("banditplan.states", "state", self, facts); },
          "facts"_a, nb::sig("def state(self, facts: banditplan.states.Facts) -> State"),
          "The state in which exactly these facts hold: texts such as \"(at r1 north)\", or a mapping such as "
          "{\"at\": {\"r1\": \"north\"}}. What never changes may be left out.")
      .def(
          "h",
          [](nb::handle self, nb::handle states, nb::handle heuristic) {
            return python("banditplan.states", "h", self, states, heuristic);
          },
          "states"_a, "heuristic"_a = "ff",
          nb::sig("def h(self, states: State | collections.abc.Sequence[State] | States | "
                  "numpy.typing.NDArray[numpy.int32], "
                  "heuristic: Heuristic | str = \"ff\") -> typing.Any"),
          "The heuristic value of a state, or of each of many; inf is a dead end.")
      .def(
          "replace",
          [](nb::handle self, nb::handle initial, nb::handle goal) {
            return python("banditplan.replacing", "replace", self, initial, goal);
          },
          nb::kw_only(), "initial"_a = nb::none(), "goal"_a = nb::none(),
          nb::sig("def replace(self, *, initial: State | banditplan.states.Facts | None = None, goal: "
                  "banditplan.states.Goal | None = None) -> Task"),
          "The task with another initial state or goal, or both; it is ground again only where that is needed.")
      .def(
          "atom_ids",
          [](const PyTask& t, const std::vector<std::string>& texts) {
            const Atoms& atoms = t.data->atoms();
            std::vector<Id> ids;
            for (const std::string& text : texts) ids.push_back(atoms.find(text));
            return ids;
          },
          "texts"_a, "The numbers of the atoms that grounding has met; -1: it has not.")
      .def("fit", &fit, "atoms"_a, "named"_a,
           nb::sig(
               "def fit(self, atoms: collections.abc.Sequence[int], named: collections.abc.Sequence[str]) -> State | "
               "tuple[str, str]"),
           "The state of the given atoms, or why it is none of the task, and an atom that shows it.")
      .def_prop_ro(
          "predicates", [](const PyTask& t) { return t.data->task.predicates; }, "Their names.")
      .def_prop_ro(
          "objects", [](const PyTask& t) { return t.data->task.objects; }, "Their names.")
      .def_prop_ro(
          "covers", [](const PyTask& t) { return t.data->atoms().covers(); },
          "Whether it is known what grounding took for granted.")
      .def_prop_ro(
          "states_are_complete", [](const PyTask& t) { return !t.data->atoms().has_irrelevant(); },
          "Whether states tell of all facts that change; else, of those that matter for the goal.")
      .def(
          "same_states", [](const PyTask& t, const PyState& state) { return t.data->family == state.data->family; },
          "state"_a, "Whether the state is one of this task, too.")
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
