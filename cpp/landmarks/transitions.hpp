#pragma once

#include <algorithm>
#include <vector>

#include "landmarks/ways.hpp"

namespace banditplan {

/// How the values of a variable follow each other: its transition graph, made when first asked for.
class TransitionGraphs {
 public:
  TransitionGraphs(const Task& task, const Ways& ways) : task_(task), ways_(ways), graphs_(task.variables.size()) {}

  /// The values, as facts, that the variable takes on every way from its initial value to the given fact through
  /// values that are `reached`; the initial value among them.
  template <class Reached>
  void find_unavoidable(Id fact, Reached&& reached, std::vector<Id>& values) {
    const Id variable = task_.facts[fact].variable;
    const Graph& graph = graph_of(variable);
    const Id first = task_.variables[variable].first_fact;
    const Id from = task_.initial_state[variable], to = task_.facts[fact].value;
    allowed_.assign(static_cast<std::size_t>(task_.variables[variable].values), false);
    for (std::size_t v = 0; v < allowed_.size(); ++v) allowed_[v] = reached(first + static_cast<Id>(v));
    allowed_[to] = true;
    values.assign(1, first + from);
    if (!find_path(graph, from, to)) return;
    // What one path avoids, can be avoided.
    path_.clear();
    for (Id v = came_from_[to]; v != from; v = came_from_[v]) path_.push_back(v);
    for (Id value : path_) {
      allowed_[value] = false;
      if (!find_path(graph, from, to)) values.push_back(first + value);
      allowed_[value] = true;
    }
    std::ranges::sort(values);
  }

 private:
  struct Graph {
    Lists<Id> next;            // per value
    std::vector<Id> anywhere;  // values that can be set from everywhere
    bool made = false;
  };

  const Graph& graph_of(Id variable);
  /// Breadth-first through allowed values; `came_from_` tells the path.
  bool find_path(const Graph& graph, Id from, Id to);

  const Task& task_;
  const Ways& ways_;
  std::vector<Graph> graphs_;  // per variable
  std::vector<char> allowed_;  // per value
  std::vector<Id> came_from_, queue_, path_;
};

}  // namespace banditplan
