#pragma once

#include "heuristics/heuristic.hpp"
#include "landmarks/progression.hpp"
#include "landmarks/status_rows.hpp"

namespace banditplan {

/// The number of landmarks that are still to come (Richter, Helmert and Westphal 2008): an evaluator of paths. States
/// are numbered in the order of insertion; a state's parent has been told before.
class LandmarkCount {
 public:
  LandmarkCount(const Task& task, LandmarkGraph graph, Monitor& monitor);

  /// `state` is the initial state.
  Id start(Id state, const Id* values);
  /// A new state; derived variables are among the values.
  Id evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values);
  /// A known state is reached on another path.
  void reached_again(Id parent, Id action, Id state, const Id* values, const Id* parent_values);

  /// The status of a state that is known.
  LandmarkStatus status(Id state);
  const LandmarkGraph& graph() const { return graph_; }
  std::size_t bytes() const { return statuses_.bytes(); }

 private:
  /// After `changes_`.
  Id value(LandmarkStatus status) const;

  LandmarkGraph graph_;
  Progression progression_;
  StatusRows statuses_;
  LandmarkChanges changes_;
  std::vector<LandmarkWord> past_, future_;  // of a path
};

}  // namespace banditplan
