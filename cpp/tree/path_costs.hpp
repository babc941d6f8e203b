#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "task/task.hpp"
#include "tree/tree.hpp"

namespace banditplan {

/// What the paths to the nodes of a tree cost, in the task's own costs, and what the search may leave out because a
/// plan of a certain cost, the bound, is known. 16 bytes per node, and only in an anytime search.
///
/// When the search has ended, nothing that is cheaper than the bound was left out. Every node knows the cost below
/// which it would have to be expanded once more, because an expansion leaves out
///   - a successor that costs too much under the bound: unless the node's own path gets cheaper by the excess;
///   - a state that has a path of its own that is as good: unless the node's path gets cheaper by the difference.
/// Bounds and path costs only fall, so what was noted then is still enough later. A state whose path gets cheaper takes
/// its subtree along; a node in it that falls below its mark becomes a leaf again, and its children wait, with their
/// subtrees, until its expansion finds them again. Paths are compared by cost, then length: an ancestor has a smaller
/// pair than its descendants, free actions or not, so that no state ever moves below itself. docs/anytime.md has the
/// whole argument.
class PathCosts {
 public:
  using Cost = std::int64_t;
  static constexpr Cost kNone = std::numeric_limits<Cost>::max();

  explicit PathCosts(const Task& task);

  Cost bound() const { return bound_; }
  /// From now on only plans below `bound` are of interest: locks the leaves that lead to none, and opens what must be
  /// expanded again to find them.
  void tighten(Tree& tree, Cost bound);

  /// The path to `node` and the action.
  Cost after(Id node, Id action) const { return costs_[node] + actions_[action]; }
  /// Whether a plan below the bound may begin with a path of that cost that does not reach the goal.
  bool promising(Cost cost) const { return cost < bound_ - cheapest_; }

  /// To be called for every node when it is made.
  void add(Cost cost) {
    costs_.push_back(cost);
    again_below_.push_back(kNone);
  }
  /// The leaf is about to be expanded: what the expansion leaves out is to be told.
  void expand(Id leaf) { again_below_[leaf] = 0; }
  /// A goal is reached: true if that is a plan below the bound, which falls.
  bool plan(Id leaf, Id action);
  /// True if the successor, not a goal, need not be looked at.
  bool prune(Id leaf, Id action);
  /// A successor is a known state that stays where it is.
  void leave(const Tree& tree, Id leaf, Id action, Id known);

  /// Negative, zero or positive: the path by leaf and action is better than the one to `known`, as good, or worse.
  int compare(const Tree& tree, Id leaf, Id action, Id known) const;
  /// The state of `from` is from now on that of `to`, just attached, whose path is not worse.
  void move(Tree& tree, Id from, Id to);

 private:
  void mark(Id node, Cost below);
  /// Before there is a bound nothing is expanded twice; `tighten` makes up for it.
  bool due(Cost cost, Cost below) const { return bound_ != kNone && cost < below && promising(cost); }
  void reopen_if_due(Tree& tree, Id id);
  void lower(Tree& tree, Id id, Cost by);

  const std::vector<Id>& actions_;
  Cost cheapest_ = kNone;  // of the actions: what is missing to the goal at the least
  Cost bound_ = kNone;
  std::vector<Cost> costs_;        // per node
  std::vector<Cost> again_below_;  // per node: it must be expanded (again) if its cost is below; a leaf: in any case
  std::vector<Id> stack_;
};

}  // namespace banditplan
