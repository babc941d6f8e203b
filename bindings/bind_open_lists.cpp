#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "open_lists/alternation.hpp"
#include "searches/best_first.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// The open lists of a search without the search, with a random generator of their own.
class PyOpenList {
 public:
  PyOpenList(const BestFirst& search, std::uint64_t seed) : random_(seed) {
    for (auto& list : search.open_lists()) lists_.add(std::move(list), false);
  }
  PyOpenList(PyOpenList&&) = default;

  void push(Id state, Id h, std::int64_t g) {
    if (state < 0 || h < 0 || g < 0) throw nb::value_error("a state, its h and its g must not be negative");
    if (taken_.size() <= static_cast<std::size_t>(state)) taken_.resize(static_cast<std::size_t>(state) + 1);
    taken_[state] = false;
    lists_.push(h, g, state, true);
  }

  Id pop() {
    const Id state = lists_.pop(random_, [&](Id candidate) { return taken_[candidate]; });
    if (state == OpenList::kNone) throw nb::index_error("the open list is empty");
    taken_[state] = true;
    return state;
  }

 private:
  Random random_;
  Alternation lists_;
  std::vector<bool> taken_;
};

/// How a best-first search went.
struct ExpansionRecord {
  SearchResult result;
  std::vector<PyState> expanded;
};

ExpansionRecord expand(const BestFirst& search, const PyTask& task, std::uint64_t seed,
                       std::optional<std::int64_t> max_evaluations, std::optional<std::int64_t> max_expansions) {
  ExpansionRecord record;
  Monitor monitor;
  nb::gil_scoped_release release;
  record.result = search.observe(task.data->task, {max_evaluations, max_expansions}, seed, monitor,
                                 [&](const std::vector<Id>& state) { record.expanded.push_back({task.data, state}); });
  return record;
}

}  // namespace

void bind_open_lists(nb::module_& module) {
  nb::class_<PyOpenList>(module, "OpenList", "The open list of a best-first search, for small experiments and tests.")
      .def("push", &PyOpenList::push, "state"_a, "h"_a, "g"_a = 0, "States are named by small numbers.")
      .def("pop", &PyOpenList::pop, "The state that comes next; raises IndexError if there is none.");
  nb::class_<BestFirst, Search>(module, "BestFirst", "A search with an open list.")
      .def(
          "open_list", [](const BestFirst& search, std::uint64_t seed) { return PyOpenList(search, seed); },
          "seed"_a = 0, "An empty open list as the search uses it.");
  nb::class_<ExpansionRecord>(module, "ExpansionRecord", "How a best-first search went.")
      .def_ro("result", &ExpansionRecord::result)
      .def_ro("expanded", &ExpansionRecord::expanded, "The states in the order of their expansion.");
  module.def("expand", &expand, "search"_a, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(),
             "max_expansions"_a = nb::none(),
             "Runs a best-first search and keeps what it expands, for small experiments and tests.");
}
