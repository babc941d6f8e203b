#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "outside.hpp"
#include "python_bandit.hpp"
#include "python_heuristic.hpp"
#include "searches/gbfs.hpp"
#include "searches/guct.hpp"
#include "searches/tree_trace.hpp"
#include "status.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

using Trace = nb::typed<nb::callable, void(std::string)>;

SearchResult run(const Search& search, const PyTask& task, std::uint64_t seed,
                 std::optional<std::int64_t> max_evaluations, std::optional<std::int64_t> max_expansions,
                 std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb,
                 std::optional<Report> report, std::optional<Trace> trace) {
  Outside outside(deadline, memory_limit_kb, std::move(report));
  const SearchLimits limits{max_evaluations, max_expansions};
  SearchResult result;
  TreeTrace lines;
  const Guct* tree_search = dynamic_cast<const Guct*>(&search);
  if (trace && !tree_search) throw nb::value_error("only a tree search can be traced");
  {
    nb::gil_scoped_release release;
    result = trace ? tree_search->observe(task.data->task, limits, seed, outside.monitor, lines)
                   : search.run(task.data->task, limits, seed, outside.monitor);
  }
  if (trace) (*trace)(lines.text());
  outside.raise_unless_interrupted();
  return result;
}

constexpr const char* kHeuristicType =
    "Heuristic | collections.abc.Callable[[States], collections.abc.Iterable[float | None]]";
constexpr Names<Graft, 3> kGrafts{{{Graft::paper, "paper"}, {Graft::strict, "strict"}, {Graft::never, "never"}}};

}  // namespace

void bind_searches(nb::module_& module) {
  nb::class_<SearchResult>(module, "SearchResult", "What a search found, and what it took.")
      .def_prop_ro(
          "status", [](const SearchResult& r) { return status_name(r.status); },
          nb::sig("def status(self) -> banditplan.result.Status"))
      .def_ro("plan", &SearchResult::plan, "Ids of actions.")
      .def_ro("evaluations", &SearchResult::evaluations)
      .def_ro("inserted", &SearchResult::inserted, "Distinct states, evaluated or waiting for it.")
      .def_ro("expansions", &SearchResult::expansions)
      .def_ro("generated", &SearchResult::generated)
      .def_ro("dead_ends", &SearchResult::dead_ends)
      .def_ro("initial_h", &SearchResult::initial_h)
      .def_ro("best_h", &SearchResult::best_h);

  nb::class_<Search>(module, "Search", "A search algorithm.")
      .def("run", &run, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(), "max_expansions"_a = nb::none(),
           "deadline"_a = nb::none(), "memory_limit_kb"_a = nb::none(), "report"_a = nb::none(), "trace"_a = nb::none(),
           "Searches the task without the GIL. `deadline` is a value of `time.monotonic()`; "
           "`report(evaluations, expansions, best_h)` is called now and then. `trace(text)` gets a sampled record of a "
           "tree search at its end, as lines of JSON.");

  Component<Gbfs, Search>(
      module, "Gbfs", "gbfs",
      "Greedy best-first search (Doran and Michie 1966): smallest h first, oldest first among equals.")
      .option("heuristic", &Gbfs::heuristic, kHeuristicType, "What is minimised.", &to_heuristic)
      .done();

  Component<Guct, Search>(module, "Guct", "guct",
                          "A tree whose nodes are bandits (Schulte and Keller 2014; Wissow and Asai 2024).")
      .option("heuristic", &Guct::heuristic, kHeuristicType, "What is minimised.", &to_heuristic)
      .option("bandit", &Guct::bandit, "Bandit | collections.abc.Callable[[Arms], collections.abc.Iterable[float]]",
              "How a child is chosen: a bandit, or a function from arms to scores, of which the lowest wins.",
              &to_bandit)
      .option("backup", &Guct::backup, "Backup", "What the leaves under a node say about its value.")
      .option("preferred", &Guct::preferred, "bool",
              "Whether to choose among children reached by preferred operators, where there are any.")
      .option("deferred", &Guct::deferred, "bool",
              "Whether a state is evaluated when it is expanded; until then it has its parent's value.")
      .choice("graft", &Guct::graft, kGrafts,
              "Whether a known state moves to a path that is not longer (paper), shorter (strict), or never.")
      .done();
}
