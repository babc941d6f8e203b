#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "outside.hpp"
#include "searches/gbfs.hpp"
#include "status.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

SearchResult run(const Search& search, const PyTask& task, std::uint64_t seed,
                 std::optional<std::int64_t> max_evaluations, std::optional<std::int64_t> max_expansions,
                 std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb,
                 std::optional<Report> report) {
  Outside outside(deadline, memory_limit_kb, std::move(report));
  SearchResult result;
  {
    nb::gil_scoped_release release;
    result = search.run(task.data->task, {max_evaluations, max_expansions}, seed, outside.monitor);
  }
  outside.raise_unless_interrupted();
  return result;
}

}  // namespace

void bind_searches(nb::module_& module) {
  nb::class_<SearchResult>(module, "SearchResult", "What a search found, and what it took.")
      .def_prop_ro(
          "status", [](const SearchResult& r) { return status_name(r.status); },
          nb::sig("def status(self) -> banditplan.result.Status"))
      .def_ro("plan", &SearchResult::plan, "Ids of actions.")
      .def_ro("evaluations", &SearchResult::evaluations)
      .def_ro("expansions", &SearchResult::expansions)
      .def_ro("generated", &SearchResult::generated)
      .def_ro("dead_ends", &SearchResult::dead_ends)
      .def_ro("initial_h", &SearchResult::initial_h)
      .def_ro("best_h", &SearchResult::best_h);

  nb::class_<Search>(module, "Search", "A search algorithm.")
      .def("run", &run, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(), "max_expansions"_a = nb::none(),
           "deadline"_a = nb::none(), "memory_limit_kb"_a = nb::none(), "report"_a = nb::none(),
           "Searches the task without the GIL. `deadline` is a value of `time.monotonic()`; "
           "`report(evaluations, expansions, best_h)` is called now and then.");

  Component<Gbfs, Search>(module, "Gbfs", "gbfs",
                          "Greedy best-first search: smallest h first, oldest first among equals.")
      .option("heuristic", &Gbfs::heuristic, "Heuristic", "What is minimised.")
      .done();
}
