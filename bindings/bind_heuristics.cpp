#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.hpp"
#include "component.hpp"
#include "heuristics/ff.hpp"
#include "heuristics/goal_count.hpp"
#include "heuristics/hadd.hpp"
#include "heuristics/hmax.hpp"
#include "outside.hpp"
#include "python_heuristic.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

constexpr Names<CostType, 3> kCosts{
    {{CostType::unit, "unit"}, {CostType::plan, "plan"}, {CostType::plusone, "plusone"}}};
constexpr Names<PreferredType, 2> kPreferred{
    {{PreferredType::relaxed_plan, "relaxed-plan"}, {PreferredType::helpful, "helpful"}}};

/// A heuristic bound to a task, for Python.
struct PyEvaluator {
  TaskHandle data;
  std::unique_ptr<Outside> outside;
  std::unique_ptr<Evaluator> evaluator;

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    interruptible(*outside, [&](Monitor&) {
      evaluator->evaluate(states, values, preferred);
      return 0;
    });
  }
};

PyEvaluator bind(const Heuristic& heuristic, const PyTask& task) {
  auto outside = std::make_unique<Outside>(std::nullopt, std::nullopt, std::nullopt);
  auto evaluator = interruptible(*outside, [&](Monitor& monitor) { return heuristic.bind(task.data->task, monitor); });
  return {task.data, std::move(outside), std::move(evaluator)};
}

std::vector<Id> flat_values(const PyEvaluator& self, const std::vector<const PyState*>& states) {
  std::vector<Id> flat;
  for (const PyState* state : states) {
    if (state->data != self.data) throw nb::value_error("a state belongs to another task");
    flat.insert(flat.end(), state->values.begin(), state->values.end());
  }
  return flat;
}

double as_number(Id h) { return h == kDeadEnd ? std::numeric_limits<double>::infinity() : h; }

std::vector<double> evaluate_states(PyEvaluator& self, const std::vector<const PyState*>& states) {
  const std::vector<Id> flat = flat_values(self, states);
  std::vector<Id> values(states.size());
  self.evaluate(flat, values, nullptr);
  std::vector<double> result;
  for (Id h : values) result.push_back(as_number(h));
  return result;
}

using StateArray = nb::ndarray<const Id, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ValueArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

/// The rows are states: their values must be in range, and derived variables must be right.
ValueArray evaluate_array(PyEvaluator& self, const StateArray& states) {
  const Task& task = self.data->task;
  if (states.shape(1) != task.variables.size())
    throw nb::value_error(("expected " + std::to_string(task.variables.size()) + " columns, one per variable").c_str());
  const std::size_t count = states.shape(0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t v = 0; v < task.variables.size(); ++v)
      if (const Id value = states(i, v); value < 0 || value >= task.variables[v].values)
        throw nb::value_error(
            ("row " + std::to_string(i) + ": variable " + std::to_string(v) + " has no value " + std::to_string(value))
                .c_str());
  std::vector<Id> values(count);
  auto result = std::make_unique<double[]>(count);
  self.evaluate({states.data(), states.size()}, values, nullptr);
  for (std::size_t i = 0; i < count; ++i) result[i] = as_number(values[i]);
  double* data = result.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return ValueArray(data, {count}, owner);
}

std::vector<std::vector<PyAction>> preferred(PyEvaluator& self, const std::vector<const PyState*>& states) {
  const std::vector<Id> flat = flat_values(self, states);
  std::vector<Id> values(states.size());
  Lists<Id> lists;
  self.evaluate(flat, values, &lists);
  std::vector<std::vector<PyAction>> result;
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::vector<PyAction>& actions = result.emplace_back();
    for (Id id : lists[i]) actions.push_back({self.data, id});
  }
  return result;
}

}  // namespace

void bind_heuristics(nb::module_& module) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const UnknownKernel& error) {
      PyErr_SetString(nb::module_::import_("banditplan.pddl.errors").attr("InputError").ptr(), error.what());
    }
  });
  nb::class_<PyEvaluator>(module, "Evaluator", "A heuristic bound to a task.")
      .def("evaluate", &evaluate_array, "states"_a,
           "The heuristic values of states given as an int32 array, a row per state, a column per variable, as in "
           "`State.values`; inf is a dead end. Computed together, without the GIL.")
      .def("evaluate", &evaluate_states, "states"_a, "The heuristic values of the states; inf is a dead end.")
      .def("preferred", &preferred, "states"_a, "For each state, the actions that the heuristic recommends.");
  nb::class_<Heuristic>(module, "Heuristic", "An estimate of how far the goal is.")
      .def("bind", &bind, "task"_a, "Prepares the heuristic for a task.");
  bind_python_heuristic(module);

  Component<Ff, Heuristic>(
      module, "Ff", "ff",
      "hFF (Hoffmann and Nebel 2001): the actions of a relaxed plan along the best supporters of hadd.")
      .choice("cost", &Ff::cost, kCosts, "What an action counts: 1, its cost, or its cost and 1.")
      .choice("preferred", &Ff::preferred, kPreferred,
              "Which actions are preferred: the applicable ones of the relaxed plan, or helpful ones.")
      .done();
  Component<HAdd, Heuristic>(
      module, "HAdd", "hadd",
      "hadd (Bonet and Geffner 2001): a goal costs its cheapest action and the sum of its needs.")
      .choice("cost", &HAdd::cost, kCosts, "What an action counts: 1, its cost, or its cost and 1.")
      .done();
  Component<HMax, Heuristic>(
      module, "HMax", "hmax",
      "hmax (Bonet and Geffner 2001): a goal costs its cheapest action and the dearest of its needs.")
      .choice("cost", &HMax::cost, kCosts, "What an action counts: 1, its cost, or its cost and 1.")
      .done();
  Component<GoalCount, Heuristic>(module, "GoalCount", "goalcount",
                                  "The number of goals that do not hold (Fikes, Hart and Nilsson 1972).")
      .done();
  Component<Blind, Heuristic>(module, "Blind", "blind", "Zero: no heuristic at all.").done();
}
