#include "landmarks/transitions.hpp"

namespace banditplan {

const TransitionGraphs::Graph& TransitionGraphs::graph_of(Id variable) {
  Graph& graph = graphs_[variable];
  if (graph.made || task_.variables[variable].derived()) return graph;
  graph.made = true;
  const Variable& v = task_.variables[variable];
  std::vector<std::vector<Id>> next(static_cast<std::size_t>(v.values));
  for (Id value = 0; value < v.values; ++value) {
    bool from_anywhere = false;
    for (Id way : ways_.achievers[v.first_fact + value]) {
      Id before = -1;
      bool conflict = false;
      for (Id need : ways_.needs[way]) {
        const Fact& f = task_.facts[need];
        if (f.variable != variable || f.negated) continue;
        conflict = conflict || before >= 0;
        before = f.value;
      }
      if (conflict) continue;
      if (before < 0)
        from_anywhere = true;
      else if (next[before].empty() || next[before].back() != value)
        next[before].push_back(value);
    }
    if (from_anywhere) graph.anywhere.push_back(value);
  }
  for (const std::vector<Id>& values : next) graph.next.append(values);
  return graph;
}

bool TransitionGraphs::find_path(const Graph& graph, Id from, Id to) {
  if (!graph.made) return false;
  came_from_.assign(allowed_.size(), -1);
  came_from_[from] = from;
  queue_.assign(1, from);
  auto reach = [&](Id value, Id before) {
    if (came_from_[value] >= 0 || !allowed_[value]) return;
    came_from_[value] = before;
    queue_.push_back(value);
  };
  for (std::size_t next = 0; next < queue_.size() && came_from_[to] < 0; ++next) {
    const Id value = queue_[next];
    for (Id after : graph.next[value]) reach(after, value);
    if (next == 0)
      for (Id after : graph.anywhere) reach(after, value);
  }
  return came_from_[to] >= 0;
}

}  // namespace banditplan
