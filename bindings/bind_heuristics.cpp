#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "evaluator_value.hpp"
#include "exclusive.hpp"
#include "heuristics/ff.hpp"
#include "heuristics/goal_count.hpp"
#include "heuristics/hadd.hpp"
#include "heuristics/hmax.hpp"
#include "landmarks/landmarks_heuristic.hpp"
#include "novelty/novelty_heuristics.hpp"
#include "options.hpp"
#include "outside.hpp"
#include "python_heuristic.hpp"
#include "state_array.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

constexpr Names<PreferredType, 2> kPreferred{
    {{PreferredType::relaxed_plan, "relaxed-plan"}, {PreferredType::helpful, "helpful"}}};

/// A heuristic bound to a task, for Python.
struct PyEvaluator {
  TaskHandle data;
  Outside outside{std::nullopt, std::nullopt, std::nullopt};
  std::unique_ptr<Evaluator> evaluator;
  Exclusive exclusive;

  void evaluate(std::span<const Id> states, std::span<Value> values, Lists<Id>* preferred = nullptr) {
    interruptible(outside, [&](Monitor&) {
      const Exclusive::Use use(exclusive);
      evaluator->evaluate(states, values, preferred);
      return 0;
    });
  }
};

std::unique_ptr<PyEvaluator> bind(const Heuristic& heuristic, const PyTask& task) {
  auto result = std::make_unique<PyEvaluator>();
  result->data = task.data;
  Heuristic::Bound bound =
      interruptible(result->outside, [&](Monitor& monitor) { return heuristic.bind(task.data->task, monitor); });
  if (auto* evaluator = std::get_if<std::unique_ptr<Evaluator>>(&bound)) result->evaluator = std::move(*evaluator);
  if (!result->evaluator)
    throw std::invalid_argument("a heuristic of paths says nothing of a state by itself; use it in a search");
  return result;
}

std::vector<Id> flat_values(const PyEvaluator& self, const std::vector<const PyState*>& states) {
  std::vector<Id> flat;
  for (const PyState* state : states) {
    same_task(self.data, state->data, "a state");
    flat.insert(flat.end(), state->values.begin(), state->values.end());
  }
  return flat;
}

std::vector<double> evaluate_states(PyEvaluator& self, const std::vector<const PyState*>& states) {
  const std::vector<Id> flat = flat_values(self, states);
  std::vector<Id> values(states.size());
  self.evaluate(flat, values);
  std::vector<double> result;
  for (Id h : values) result.push_back(as_number(h));
  return result;
}

using ValueArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

ValueArray evaluate_rows(PyEvaluator& self, std::span<const Id> states, std::size_t count) {
  std::vector<Id> values(count);
  auto result = std::make_unique<double[]>(count);
  self.evaluate(states, values);
  for (std::size_t i = 0; i < count; ++i) result[i] = as_number(values[i]);
  double* data = result.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return ValueArray(data, {count}, owner);
}

ValueArray evaluate_array(PyEvaluator& self, const StateArray& states) {
  check_rows(self.data->task, states);
  return evaluate_rows(self, {states.data(), states.size()}, states.shape(0));
}

ValueArray evaluate_batch(PyEvaluator& self, const PyStates& states) {
  same_task(self.data, states.data, "the batch");
  return evaluate_rows(self, states.values, states.count);
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

std::int64_t wide_width(nb::handle value) { return whole(value, 1, 8, "width"); }
std::int64_t samples(nb::handle value) { return whole(value, 1, 1'000'000, "samples"); }
std::int64_t megabytes(nb::handle value) { return whole(value, 1, 1'000'000, "megabytes"); }

/// What the two kinds of novelty have in common; `own` adds what is special.
template <class T, class Own>
void novelty(nb::module_& module, const char* name, const char* text, const char* doc,
             std::int64_t (*width)(nb::handle), Own&& own) {
  Component<T, Heuristic> component(module, name, text, doc);
  component
      .list("heuristics", &T::heuristics, kHeuristicType, "States are compared with those of the same values of these.",
            &to_heuristic, true)
      .option("width", &T::width, "int", "The largest sets of facts that count.", width);
  own(component);
  component
      .option("forgets", &T::forgets, "bool",
              "Whether to forget everything when one of the heuristics finds a smaller value than ever.")
      .option("prunes", &T::prunes, "bool", "Whether a state above the width is taken for a dead end.")
      .option("megabytes", &T::megabytes, "int", "For what has been seen; beyond that, pairs are forgotten.",
              &megabytes)
      .done();
}

}  // namespace

void bind_heuristics(nb::module_& module) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const UnknownKernel& error) {
      PyErr_SetString(nb::module_::import_("banditplan.errors").attr("InputError").ptr(), error.what());
    }
  });
  nb::class_<PyEvaluator>(module, "Evaluator", "A heuristic bound to a task.")
      .def("evaluate", &evaluate_array, "states"_a,
           "The heuristic values of states given as an int32 array, a row per state, a column per variable, as in "
           "`State.values`; inf is a dead end. Computed together, without the GIL.")
      .def("evaluate", &evaluate_batch, "states"_a, "The heuristic values of a batch, as an array; inf is a dead end.")
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
  Component<LandmarksHeuristic, Heuristic>(
      module, "Landmarks", "landmarks",
      "The number of landmarks still to come on a path (Richter, Helmert and Westphal 2008).")
      .option("complete", &LandmarksHeuristic::complete, "bool",
              "Whether to take all fact landmarks of the delete relaxation, too.")
      .done();
  novelty<NoveltyHeuristic>(module, "Novelty", "novelty",
                            "How new a state is among those with the same values of other heuristics: the size of the "
                            "smallest new set of facts (Lipovetzky and Geffner 2017).",
                            &narrow_width, [](auto&) {});
  novelty<ApproximateNoveltyHeuristic>(
      module, "ApproximateNovelty", "approximate_novelty",
      "Novelty with larger sets of facts, some of which are sampled (Singh et al. 2021).", &wide_width,
      [](auto& component) {
        component.option("samples", &ApproximateNoveltyHeuristic::samples, "int", "Sets per state and size.", &samples);
      });
  Component<RelaxedPlanCountHeuristic, Heuristic>(
      module, "RelaxedPlanCount", "relaxed_plan_count",
      "Facts of the relaxed plan made where the goal count last fell that were reached since (Lipovetzky and Geffner "
      "2017).")
      .done();
}
