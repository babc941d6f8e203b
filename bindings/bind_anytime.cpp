#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "exclusive.hpp"
#include "outside.hpp"
#include "plans/eliminate.hpp"
#include "plans/shorten.hpp"
#include "searches/search.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

class PyAnytime {
 public:
  PyAnytime(const Search& search, const PyTask& task, std::uint64_t seed, std::optional<std::int64_t> max_evaluations,
            std::optional<std::int64_t> max_expansions, std::optional<double> deadline,
            std::optional<std::size_t> memory_limit_kb, std::optional<Report> report)
      : data_(task.data),
        outside_(deadline, memory_limit_kb, std::move(report)),
        search_(search.begin({.task = data_->task,
                              .monitor = outside_.monitor,
                              .limits = {max_evaluations, max_expansions},
                              .seed = seed},
                             Wanted::better_and_better_plans)) {}

  SearchResult next(std::optional<std::int64_t> below) {
    SearchResult result;
    {
      nb::gil_scoped_release release;
      const Exclusive::Use use(exclusive_);
      result = search_->next(below);
    }
    outside_.raise_unless_interrupted();
    return result;
  }

 private:
  const TaskHandle data_;
  Outside outside_;
  std::unique_ptr<Searching> search_;
  Exclusive exclusive_;
};

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

void check_actions(const PyTask& task, const std::vector<Id>& plan) {
  const auto actions = static_cast<Id>(task.data->task.actions());
  for (Id action : plan)
    if (action < 0 || action >= actions) throw nb::index_error("no such action");
}

std::vector<Id> shorter(const PyTask& task, std::vector<Id> plan, std::optional<std::int64_t> work,
                        std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb) {
  check_actions(task, plan);
  Outside outside(deadline, memory_limit_kb, {});
  {
    nb::gil_scoped_release release;
    plan = shorten(task.data->task, std::move(plan), work.value_or(kEndless), outside.monitor);
  }
  outside.raise_if_failed();
  return plan;
}

std::vector<Id> justified(const PyTask& task, std::vector<Id> plan) {
  check_actions(task, plan);
  return interruptible([&](Monitor& monitor) {
    Work endless(kEndless);
    eliminate(task.data->task, plan, endless, monitor);
    return plan;
  });
}

}  // namespace

void bind_anytime(nb::module_& module) {
  nb::class_<PyAnytime>(module, "AnytimeSearch", "A search that goes on after a plan, for cheaper ones.")
      .def(nb::init<const Search&, const PyTask&, std::uint64_t, std::optional<std::int64_t>,
                    std::optional<std::int64_t>, std::optional<double>, std::optional<std::size_t>,
                    std::optional<Report>>(),
           "search"_a, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(), "max_expansions"_a = nb::none(),
           "deadline"_a = nb::none(), "memory_limit_kb"_a = nb::none(), "report"_a = nb::none(),
           "Takes what `Search.run` takes; limits and counters are those of the whole search.")
      .def("next", &PyAnytime::next, "below"_a = nb::none(),
           "Searches without the GIL for a plan that costs less than those before, and than `below`. The status is "
           "`unsolvable` if it is proved that there is none. Once a search has ended without a plan, it stays so.");
  module.def(
      "shorten", &shorter, "task"_a, "plan"_a, "work"_a = nb::none(), "deadline"_a = nb::none(),
      "memory_limit_kb"_a = nb::none(),
      "A plan, as a list of ids of actions, that is not costlier and, at the same cost, not longer. `work` bounds "
      "what that takes, in facts that are looked at or set: 10⁸ take about a quarter of a second.");
  module.def("eliminate", &justified, "task"_a, "plan"_a,
             "The plan, a list of ids of actions, without redundant actions: the first step of `shorten`.");
}
