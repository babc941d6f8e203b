#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "searches/guct.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// The leaves in the order of their selection, and the tree in the end.
struct TreeRecord : TreeObserver {
  SearchResult result;
  std::vector<Id> visits;
  std::shared_ptr<const Backup> backup;  // of the tree
  Tree tree;

  explicit TreeRecord(const Guct& search) : backup(search.backup), tree(*backup) {}
  void chosen(const Tree&, Id, const Arms&, std::size_t) override {}
  void visited(const Tree&, Id leaf, const SearchResult&) override { visits.push_back(leaf); }
  void ended(const Tree& last, const SearchResult&) override { tree = last; }
};

TreeRecord grow(const Guct& search, const PyTask& task, std::uint64_t seed, std::optional<std::int64_t> max_evaluations,
                std::optional<std::int64_t> max_expansions) {
  TreeRecord record(search);
  Monitor monitor;
  nb::gil_scoped_release release;
  record.result = search.observe(task.data->task, {max_evaluations, max_expansions}, seed, monitor, record);
  return record;
}

nb::dict node(const Tree& tree, Id id) {
  const Node& node = tree.node(id);
  const Statistics data = tree.statistics(id);
  nb::dict result;
  result["parent"] = node.parent;
  result["action"] = node.action;
  result["state"] = node.state;
  result["g"] = node.g;
  result["h"] = node.h;
  result["preferred"] = tree.arm(id).preferred == 1;
  result["locked"] = data.locked();
  result["children"] = nb::list();
  for (Id i = 0; i < node.children; ++i) result["children"].attr("append")(node.first_child + i);
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
  for (Id id = 0; id < record.tree.size(); ++id) result.append(node(record.tree, id));
  return result;
}

}  // namespace

void bind_observe(nb::module_& module) {
  nb::class_<TreeRecord>(module, "TreeRecord", "How a tree search went, and its tree in the end.")
      .def_ro("result", &TreeRecord::result)
      .def_ro("visits", &TreeRecord::visits, "The nodes in the order of their selection.")
      .def_prop_ro("nodes", &nodes, nb::sig("def nodes(self) -> list[dict[str, typing.Any]]"),
                   "Every node with its place in the tree and its statistics; nodes are named by their indices.");
  module.def("grow", &grow, "search"_a, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(),
             "max_expansions"_a = nb::none(),
             "Runs a tree search and keeps its tree, for small experiments and tests.");
}
