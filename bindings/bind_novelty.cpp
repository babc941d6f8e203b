#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "evaluator_value.hpp"
#include "novelty/approximate_novelty.hpp"
#include "novelty/novelty.hpp"
#include "novelty/relaxed_plan_count.hpp"
#include "task_handle.hpp"

// Evaluators of paths by themselves, for tests: a search calls them from within the core.

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// An evaluator with the task that it speaks of.
template <class Evaluator>
struct OfTask {
  TaskHandle data;
  std::unique_ptr<Monitor> monitor;
  std::unique_ptr<Evaluator> evaluator;
};

template <class Evaluator, class... Arguments>
void make(OfTask<Evaluator>* self, const PyTask& task, const Arguments&... arguments) {
  auto monitor = std::make_unique<Monitor>();
  auto evaluator = std::make_unique<Evaluator>(task.data->task, arguments..., *monitor);
  new (self) OfTask<Evaluator>{task.data, std::move(monitor), std::move(evaluator)};
}

/// `start` and `evaluate` of an evaluator whose last argument is of type `Last`.
template <class Evaluator, class Last>
nb::class_<OfTask<Evaluator>> bind_path_evaluator(nb::module_& module, const char* name, const char* doc,
                                                  const char* last) {
  using Self = OfTask<Evaluator>;
  return nb::class_<Self>(module, name, doc)
      .def(
          "start",
          [](Self& self, Id id, const PyState& state, const Last& value) {
            return as_number(self.evaluator->start(id, state.values.data(), value));
          },
          "id"_a, "state"_a, nb::arg(last), "The value of the initial state.")
      .def(
          "evaluate",
          [](Self& self, Id parent, Id action, Id id, const PyState& state, const PyState& parent_state,
             const Last& value) {
            return as_number(
                self.evaluator->evaluate(parent, action, id, state.values.data(), parent_state.values.data(), value));
          },
          "parent"_a, "action"_a, "id"_a, "state"_a, "parent_state"_a, nb::arg(last), "The value of a new state.");
}

}  // namespace

void bind_novelty(nb::module_& module) {
  using Key = std::vector<Id>;
  bind_path_evaluator<Novelty, Key>(module, "NoveltyTable", "Exact novelty along paths, for tests.", "key")
      .def(
          "__init__",
          [](OfTask<Novelty>* self, const PyTask& task, int width, std::size_t max_bytes) {
            make(self, task, width, max_bytes);
          },
          "task"_a, "width"_a = 2, "max_bytes"_a = std::size_t{1} << 30)
      .def(
          "forget", [](OfTask<Novelty>& self) { self.evaluator->forget(); }, "Every state is new again.")
      .def_prop_ro("bytes", [](const OfTask<Novelty>& self) { return self.evaluator->table().bytes(); })
      .def_prop_ro("narrow_partitions",
                   [](const OfTask<Novelty>& self) { return self.evaluator->table().narrow_partitions(); })
      .def_prop_ro("missing_rows", [](const OfTask<Novelty>& self) { return self.evaluator->table().missing_rows(); });
  bind_path_evaluator<ApproximateNovelty, Key>(module, "ApproximateNoveltyTable",
                                               "Sampled novelty along paths, for tests.", "key")
      .def(
          "__init__",
          [](OfTask<ApproximateNovelty>* self, const PyTask& task, int width, std::size_t samples,
             std::size_t filter_bytes, std::uint64_t seed) {
            ApproximateNovelty::Options options;
            options.width = width;
            options.samples = samples;
            options.filter_bytes = filter_bytes;
            options.seed = seed;
            make(self, task, options);
          },
          "task"_a, "width"_a = 3, "samples"_a = 64, "filter_bytes"_a = std::size_t{1} << 26, "seed"_a = 1)
      .def("forget", [](OfTask<ApproximateNovelty>& self) { self.evaluator->forget(); }, "Every state is new again.");
  bind_path_evaluator<RelaxedPlanCount, Id>(module, "RelaxedPlanCounter",
                                            "Facts of relaxed plans reached along paths, for tests.", "goal_count")
      .def(
          "__init__", [](OfTask<RelaxedPlanCount>* self, const PyTask& task) { make(self, task); }, "task"_a)
      .def_prop_ro(
          "plans", [](const OfTask<RelaxedPlanCount>& self) { return self.evaluator->plans(); },
          "How many relaxed plans have been made.")
      .def(
          "plan_of",
          [](const OfTask<RelaxedPlanCount>& self, Id id) {
            const auto facts = self.evaluator->plan_of(id);
            return std::vector<Id>(facts.begin(), facts.end());
          },
          "id"_a, "The facts that count in the state.");
}
