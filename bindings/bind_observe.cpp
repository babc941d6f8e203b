#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "backups/monte_carlo.hpp"
#include "bindings.hpp"
#include "open_lists/tree_list.hpp"
#include "searches/observer.hpp"
#include "states/found_states.hpp"
#include "task_handle.hpp"
#include "trace/live_feed.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

const MonteCarlo kMonteCarlo;

/// The leaves in the order of their selection, and the tree in the end.
struct TreeRecord : SearchObserver {
  SearchResult result;
  std::vector<Id> visits;
  Tree tree{kMonteCarlo};
  TreeFrontier* frontier = nullptr;  // while the search runs

  void began(Frontier& open, const FoundStates&) override {
    frontier = open.tree();
    if (!frontier) throw std::invalid_argument("the open list of the search has no tree");
  }
  void visited(StateId, const SearchResult&) override { visits.push_back(static_cast<Id>(frontier->visited())); }
  void ended(const SearchResult&) override { tree = frontier->grown(); }
};

/// How a search went.
struct ExpansionRecord : SearchObserver {
  explicit ExpansionRecord(TaskHandle d)
      : data(std::move(d)),
        packer(data->task),
        expander(data->task, packer, monitor),
        values(data->task.variables.size()) {}

  void began(Frontier&, const FoundStates& states) override { found = &states; }
  void expands(StateId state) override {
    expander.load(found->words(state), values.data());
    expanded_states.push_back({data, values});
  }

  TaskHandle data;
  Monitor monitor;
  StatePacker packer;
  Expander expander;
  const FoundStates* found = nullptr;  // while the search runs
  std::vector<Id> values;
  SearchResult result;
  std::vector<PyState> expanded_states;
};

/// Runs a search with a record that looks on.
template <class Record>
void observe(const Search& search, const PyTask& task, std::uint64_t seed, const SearchLimits& limits, Record& record) {
  Monitor monitor;
  nb::gil_scoped_release release;
  record.result =
      search.run({.task = task.data->task, .monitor = monitor, .limits = limits, .seed = seed, .observer = &record});
}

std::unique_ptr<TreeRecord> grow(const Search& search, const PyTask& task, std::uint64_t seed,
                                 std::optional<std::int64_t> max_evaluations,
                                 std::optional<std::int64_t> max_expansions) {
  auto record = std::make_unique<TreeRecord>();
  observe(search, task, seed, {max_evaluations, max_expansions}, *record);
  return record;
}

std::unique_ptr<ExpansionRecord> expand(const Search& search, const PyTask& task, std::uint64_t seed,
                                        std::optional<std::int64_t> max_evaluations,
                                        std::optional<std::int64_t> max_expansions) {
  auto record = std::make_unique<ExpansionRecord>(task.data);
  observe(search, task, seed, {max_evaluations, max_expansions}, *record);
  return record;
}

/// Parent, state, action and h; −1 stands for nobody, None for a dead end.
using LiveState = std::tuple<Id, Id, Id, std::optional<Value>>;

std::optional<std::vector<LiveState>> take(LiveFeed& feed, double seconds) {
  std::optional<std::vector<LiveFeed::Entry>> entries;
  {
    nb::gil_scoped_release release;
    entries = feed.take(std::chrono::duration<double>(seconds));
  }
  if (!entries) return std::nullopt;
  std::vector<LiveState> states;
  states.reserve(entries->size());
  for (const LiveFeed::Entry& entry : *entries)
    states.emplace_back(static_cast<Id>(entry.parent), static_cast<Id>(entry.state), static_cast<Id>(entry.action),
                        entry.h == kDeadEnd ? std::nullopt : std::optional(entry.h));
  return states;
}

nb::dict node(const Tree& tree, NodeId id) {
  const Node& node = tree.node(id);
  const Label& label = tree.label(id);
  const Statistics data = tree.statistics(id);
  nb::dict result;
  result["parent"] = static_cast<Id>(node.parent);
  result["action"] = static_cast<Id>(label.action);
  result["state"] = static_cast<Id>(label.state);
  result["g"] = node.depth;
  result["h"] = label.h;
  result["preferred"] = tree.arm(id).preferred == 1;
  result["locked"] = data.locked();
  result["children"] = nb::list();
  for (std::size_t i = 0; i < node.children; ++i) result["children"].attr("append")(static_cast<Id>(tree.child(id, i)));
  result["count"] = data.count;
  result["mean"] = data.mean();
  result["variance"] = data.variance();
  result["minimum"] = data.minimum;
  result["maximum"] = data.maximum;
  result["open_minimum"] = data.locked() ? nb::none() : nb::object(nb::int_(data.open_minimum));
  return result;
}

nb::list nodes(const TreeRecord& record) {
  nb::list result;
  for (std::size_t id = 0; id < record.tree.ids(); ++id) result.append(node(record.tree, NodeId{static_cast<Id>(id)}));
  return result;
}

}  // namespace

void bind_observe(nb::module_& module) {
  nb::class_<LiveFeed>(module, "LiveFeed",
                       "The states of a search while it runs, for another thread. What does not fit is dropped.")
      .def(nb::init<std::size_t>(), "capacity"_a)
      .def(
          "take", &take, "seconds"_a,
          "What has come since the last time, after waiting for it no longer than that: parent, state, action and h of "
          "each, where -1 is nobody and None a dead end. A state alone has a new h; the first one is the initial "
          "state. "
          "No state at all: a search begins. None: all was taken and nothing more will come.")
      .def("close", &LiveFeed::close, "Nothing more will come.")
      .def_prop_ro("dropped", &LiveFeed::dropped, "How many entries did not fit.");
  nb::class_<TreeRecord>(module, "TreeRecord", "How a search with a tree went, and its tree in the end.")
      .def_ro("result", &TreeRecord::result)
      .def_ro("visits", &TreeRecord::visits, "The nodes in the order of their selection.")
      .def_prop_ro("nodes", &nodes, nb::sig("def nodes(self) -> list[dict[str, typing.Any]]"),
                   "Every node with its place in the tree and its statistics; nodes are named by their indices.");
  module.def("grow", &grow, "search"_a, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(),
             "max_expansions"_a = nb::none(),
             "Runs a search with a tree and keeps the tree, for small experiments and tests.");
  nb::class_<ExpansionRecord>(module, "ExpansionRecord", "How a search went.")
      .def_ro("result", &ExpansionRecord::result)
      .def_ro("expanded", &ExpansionRecord::expanded_states, "The states in the order of their expansion.");
  module.def("expand", &expand, "search"_a, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(),
             "max_expansions"_a = nb::none(),
             "Runs a search and keeps what it expands, for small experiments and tests.");
}
