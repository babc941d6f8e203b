#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "outside.hpp"
#include "state_array.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

void check_rows(const Task& task, const StateArray& states) {
  if (states.shape(1) != task.variables.size())
    throw nb::value_error(("expected " + std::to_string(task.variables.size()) + " columns, one per variable").c_str());
  for (std::size_t i = 0; i < states.shape(0); ++i)
    for (std::size_t v = 0; v < task.variables.size(); ++v)
      if (const Id value = states(i, v); value < 0 || value >= task.variables[v].values)
        throw nb::value_error(
            ("row " + std::to_string(i) + ": variable " + std::to_string(v) + " has no value " + std::to_string(value))
                .c_str());
}

namespace {

std::vector<std::string> true_facts(const PyState& state) {
  const Task& task = state.data->task;
  std::vector<std::string> names;
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    const Id fact = task.variables[v].first_fact + state.values[v];
    if (!task.fact_names[fact].empty()) names.push_back(task.fact_name(fact));
  }
  return names;
}

nb::object holds_in(const PyState& self, const std::string& text) {
  const Atoms& atoms = self.data->atoms();
  const Id atom = atoms.find(text);
  if (atom >= 0) switch (atoms.coverage().fates[atom]) {
      case Fate::kept:
        return nb::cast(holds(self.data->task, atoms.coverage().facts[atom], self.values.data()));
      case Fate::always:
        return nb::cast(true);
      case Fate::never:
        return nb::cast(false);
      case Fate::irrelevant:
        break;
    }
  return nb::none();
}

nb::tuple difference(const PyState& self, const PyState& later) {
  same_task(self.data, later.data, "the state");
  const Task& task = self.data->task;
  std::vector<std::string> gained, lost;
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    if (self.values[v] == later.values[v]) continue;
    const Id before = task.variables[v].first_fact + self.values[v],
             after = task.variables[v].first_fact + later.values[v];
    if (!task.fact_names[after].empty()) gained.push_back(task.fact_name(after));
    if (!task.fact_names[before].empty()) lost.push_back(task.fact_name(before));
  }
  return nb::make_tuple(gained, lost);
}

std::vector<std::string> atom_texts(const PyState& self) {
  const Task& task = self.data->task;
  const Atoms& atoms = self.data->atoms();
  std::vector<std::string> texts;
  for (Id atom : atoms.true_atoms(task, self.values.data())) texts.push_back(atoms.text(task, atom));
  return texts;
}

std::size_t checked(Py_ssize_t index, std::size_t size) {
  const auto count = static_cast<Py_ssize_t>(size);
  if (index < 0) index += count;
  if (index < 0 || index >= count) throw nb::index_error();
  return static_cast<std::size_t>(index);
}

PyState row(const TaskHandle& data, const std::vector<Id>& values, std::size_t index) {
  const std::size_t width = data->task.variables.size();
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index * width);
  return {data, {begin, begin + static_cast<std::ptrdiff_t>(width)}};
}

using Matrix = nb::ndarray<nb::numpy, const Id, nb::ndim<2>>;
using Column = nb::ndarray<nb::numpy, const Id, nb::ndim<1>>;

Matrix matrix(nb::handle_t<PyStates> self) {
  const PyStates& states = *nb::inst_ptr<PyStates>(self);
  return Matrix(states.values.data(), {states.count, states.width()}, self);
}

template <std::vector<Id> Transitions::* column>
Column column_of(nb::handle_t<PyTransitions> self) {
  const std::vector<Id>& values = nb::inst_ptr<PyTransitions>(self)->found.*column;
  return Column(values.data(), {values.size()}, self);
}

nb::tuple transition_at(const PyTransitions& self, Py_ssize_t index) {
  const std::size_t i = checked(index, self.found.actions.size());
  const Id action = self.found.actions[i];
  return nb::make_tuple(action < 0 ? nb::none() : nb::cast(PyAction{self.data, action}),
                        row(self.data, self.found.values, i));
}

}  // namespace

void bind_states(nb::module_& module) {
  nb::class_<PyState>(module, "State", "A state of a task; hashable, comparable.")
      .def_prop_ro("facts", &true_facts, "The atoms that are true, derived ones too, of those that change and matter.")
      .def_ro("values", &PyState::values, "The value of each variable.")
      .def(
          "holds",
          [](nb::handle_t<PyState> self, const std::string& fact) {
            const nb::object known = holds_in(*nb::inst_ptr<PyState>(self), fact);
            if (!known.is_none()) return known;
            return nb::module_::import_("banditplan.states").attr("holds")(self, fact);
          },
          "fact"_a, nb::sig("def holds(self, fact: str) -> bool"), "Whether a fact such as \"(at r1 north)\" is true.")
      .def("known", &holds_in, "fact"_a, nb::sig("def known(self, fact: str) -> bool | None"),
           "Whether a fact in lower case is true, or None if the ground task does not know.")
      .def(
          "but",
          [](nb::handle self, nb::args literals) {
            return nb::module_::import_("banditplan.states").attr("but")(self, *literals);
          },
          "literals"_a, nb::sig("def but(self, *literals: str) -> State"),
          "The state with some changes, such as \"(at r1 north)\" and \"(not (at r1 south))\".")
      .def("diff", &difference, "later"_a, nb::sig("def diff(self, later: State) -> tuple[list[str], list[str]]"),
           "The facts that are true in a later state and not in this one, and those that are true no more.")
      .def_prop_ro("atoms", &atom_texts,
                   "The true atoms of predicates that actions change, also those that never do; none is derived.")
      .def_prop_ro(
          "ground_task", [](const PyState& self) { return PyTask{self.data, nb::none()}; },
          "The ground task of the state, without what it was made from.")
      .def(
          "__eq__",
          [](const PyState& self, nb::handle other) {
            PyState* state = nullptr;
            return nb::try_cast(other, state) && state && state->data->family == self.data->family &&
                   state->values == self.values;
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

  nb::class_<PyStates>(module, "States", "A batch of states, one after the other in memory.")
      .def("__len__", [](const PyStates& states) { return states.count; })
      .def(
          "__getitem__",
          [](const PyStates& states, Py_ssize_t index) {
            return row(states.data, states.values, checked(index, states.count));
          },
          "index"_a)
      .def_prop_ro("values", &matrix,
                   "A NumPy array of the variables' values, a row per state; it shares memory with the batch.")
      .def("__repr__", [](const PyStates& states) {
        return "<States: " + std::to_string(states.count) + " of " + std::to_string(states.width()) + " variables>";
      });

  nb::class_<PyTransitions>(module, "Transitions",
                            "States with the actions that lead there: a sequence of pairs of action and state.")
      .def("__len__", [](const PyTransitions& self) { return self.found.actions.size(); })
      .def("__getitem__", &transition_at, "index"_a,
           nb::sig("def __getitem__(self, index: int) -> tuple[GroundAction, State]"))
      .def_prop_ro(
          "states",
          [](const PyTransitions& self) { return PyStates{self.data, self.found.values, self.found.actions.size()}; },
          "The states alone, as a batch.")
      .def_prop_ro("actions", &column_of<&Transitions::actions>,
                   "A NumPy array of the ids of the actions that lead to the states; -1 where a walk begins.")
      .def_prop_ro("parents", &column_of<&Transitions::parents>,
                   "A NumPy array of the numbers of the states that they come from: among those that were given or, of "
                   "walks, among their own; -1 where a walk begins.")
      .def("__repr__", [](const PyTransitions& self) {
        return "<Transitions: " + std::to_string(self.found.actions.size()) + " pairs of action and state>";
      });
}
