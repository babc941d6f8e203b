#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "evaluator_value.hpp"
#include "landmarks/landmark_count.hpp"
#include "outside.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

struct PyLandmarks {
  TaskHandle data;
  LandmarkGraph graph;
};

/// A landmark of a graph that Python holds.
struct PyLandmark {
  std::shared_ptr<PyLandmarks> owner;
  std::size_t id;

  std::span<const Id> facts() const { return owner->graph.facts[id]; }
};

[[noreturn]] void raise_limit(Stop stop) {
  const char* reason = stop == Stop::time ? "time-limit" : "memory-limit";
  PyErr_SetString(nb::module_::import_("banditplan.limits").attr("LimitReached").ptr(), reason);
  throw nb::python_error();
}

/// Calls `work(monitor)` without the GIL.
template <class Work>
auto watched(std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb, Work&& work) {
  Outside outside(deadline, memory_limit_kb, std::nullopt);
  std::optional<decltype(work(outside.monitor))> result;
  std::optional<Stop> stop;
  {
    nb::gil_scoped_release release;
    try {
      result.emplace(work(outside.monitor));
    } catch (const Stopped& stopped) {
      stop = stopped.reason;
    } catch (const std::bad_alloc&) {
      stop = Stop::memory;
    }
  }
  outside.raise_if_failed();
  if (stop) raise_limit(*stop);
  return std::move(*result);
}

std::shared_ptr<PyLandmarks> landmarks(const PyTask& self, bool complete, std::optional<double> deadline,
                                       std::optional<std::size_t> memory_limit_kb) {
  const TaskHandle data = self.data;
  return watched(deadline, memory_limit_kb, [&](Monitor& monitor) {
    return std::make_shared<PyLandmarks>(data, find_landmarks(data->task, complete, monitor));
  });
}

std::vector<std::string> fact_names(const PyLandmark& self) {
  std::vector<std::string> names;
  for (Id fact : self.facts()) names.push_back(self.owner->data->task.fact_name(fact));
  return names;
}

const char* kind_name(OrderKind kind) {
  switch (kind) {
    case OrderKind::reasonable:
      return "reasonable";
    case OrderKind::natural:
      return "natural";
    case OrderKind::greedy_necessary:
      return "greedy-necessary";
  }
  return "";
}

std::vector<PyLandmark> list_landmarks(const std::shared_ptr<PyLandmarks>& self) {
  std::vector<PyLandmark> result;
  for (std::size_t id = 0; id < self->graph.size(); ++id) result.push_back({self, id});
  return result;
}

nb::list list_orders(const PyLandmarks& self) {
  nb::list result;
  for (const LandmarkOrder& order : self.graph.orders)
    result.append(nb::make_tuple(order.from, order.to, kind_name(order.kind)));
  return result;
}

/// The status of landmarks along paths, for tests.
struct PyLandmarkStatus {
  TaskHandle data;
  std::unique_ptr<LandmarkCount> count;
};

std::vector<std::size_t> members(ConstLandmarkSet set) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < 32 * set.size(); ++i)
    if ((set[i / 32] >> (i % 32) & 1) != 0) result.push_back(i);
  return result;
}

void bind_status(nb::module_& module) {
  nb::class_<PyLandmarkStatus>(module, "LandmarkStatus", "The status of landmarks along paths, for tests.")
      .def(
          "__init__",
          [](PyLandmarkStatus* self, const std::shared_ptr<PyLandmarks>& graph) {
            Monitor monitor;
            new (self) PyLandmarkStatus{graph->data,
                                        std::make_unique<LandmarkCount>(graph->data->task, graph->graph, monitor)};
          },
          "graph"_a)
      .def(
          "start",
          [](PyLandmarkStatus& self, Id id, const PyState& state) {
            return as_number(self.count->start(id, state.values.data()));
          },
          "id"_a, "state"_a, "The value of the initial state.")
      .def(
          "evaluate",
          [](PyLandmarkStatus& self, Id parent, Id action, Id id, const PyState& state, const PyState& parent_state) {
            return as_number(self.count->evaluate(parent, action, id, state.values.data(), parent_state.values.data()));
          },
          "parent"_a, "action"_a, "id"_a, "state"_a, "parent_state"_a, "The value of a new state.")
      .def(
          "reached_again",
          [](PyLandmarkStatus& self, Id parent, Id action, Id id, const PyState& state, const PyState& parent_state) {
            self.count->reached_again(parent, action, id, state.values.data(), parent_state.values.data());
          },
          "parent"_a, "action"_a, "id"_a, "state"_a, "parent_state"_a, "A known state is reached on another path.")
      .def(
          "past", [](PyLandmarkStatus& self, Id id) { return members(self.count->status(id).past); }, "id"_a)
      .def("future", [](PyLandmarkStatus& self, Id id) { return members(self.count->status(id).future); }, "id"_a);
}

}  // namespace

void bind_landmarks(nb::module_& module) {
  nb::class_<PyLandmark>(module, "Landmark", "Facts of which every plan makes one true at some time.")
      .def_ro("id", &PyLandmark::id, "Its index in the list of landmarks.")
      .def_prop_ro("facts", &fact_names, "One fact, or several of one predicate.")
      .def_prop_ro(
          "fact_ids", [](const PyLandmark& self) { return std::vector<Id>(self.facts().begin(), self.facts().end()); },
          "The numbers of the facts; those of negated facts follow the others.")
      .def_prop_ro("disjunctive", [](const PyLandmark& self) { return self.owner->graph.disjunctive(self.id); })
      .def_prop_ro(
          "initial", [](const PyLandmark& self) { return bool(self.owner->graph.initial[self.id]); },
          "Whether it is true in the initial state.")
      .def_prop_ro(
          "goal", [](const PyLandmark& self) { return bool(self.owner->graph.goal[self.id]); },
          "Whether it must be true at the end.")
      .def("__repr__", [](const PyLandmark& self) {
        std::string text;
        for (const std::string& fact : fact_names(self)) text += (text.empty() ? "" : " or ") + fact;
        return text;
      });

  nb::class_<PyLandmarks>(module, "LandmarkGraph", "The landmarks of a task with their orders.")
      .def_prop_ro(
          "landmarks", [](nb::handle self) { return list_landmarks(nb::cast<std::shared_ptr<PyLandmarks>>(self)); },
          nb::sig("def landmarks(self) -> list[Landmark]"))
      .def_prop_ro("orders", &list_orders, nb::sig("def orders(self) -> list[tuple[int, int, str]]"),
                   "From, to, kind: greedy-necessary (immediately before the first time), natural (before), "
                   "reasonable (sensibly before).")
      .def_prop_ro(
          "reachable", [](const PyLandmarks& self) { return self.graph.reachable; },
          "False if a landmark cannot be reached: the task has no plan.")
      .def("__len__", [](const PyLandmarks& self) { return self.graph.size(); })
      .def("__repr__", [](const PyLandmarks& self) {
        return "<LandmarkGraph: " + std::to_string(self.graph.size()) + " landmarks, " +
               std::to_string(self.graph.orders.size()) + " orders>";
      });

  nb::borrow<nb::class_<PyTask>>(module.attr("Task"))
      .def(
          "landmarks", &landmarks, "complete"_a = false, nb::kw_only(), "deadline"_a.none() = nb::none(),
          "memory_limit_kb"_a.none() = nb::none(),
          "The landmarks found backwards from the goal (Richter, Helmert and Westphal 2008); with `complete`, also all "
          "facts without which the goal cannot be reached even if nothing is ever deleted.");
  module.def(
      "fact_landmarks",
      [](const PyTask& task) {
        return watched({}, {}, [&](Monitor& monitor) { return find_fact_landmarks(task.data->task, monitor); });
      },
      "task"_a, "The numbers of the facts without which the goal cannot be reached if nothing is ever deleted.");
  bind_status(module);
}
