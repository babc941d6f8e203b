#include "tree/path_costs.hpp"

#include <algorithm>
#include <utility>

namespace banditplan {

PathCosts::PathCosts(const Task& task) : actions_(task.costs) {
  for (Id cost : actions_) cheapest_ = std::min<Cost>(cheapest_, cost);
}

void PathCosts::tighten(Tree& tree, Cost bound) {
  bound_ = std::min(bound_, bound);
  for (Id id = 0; id < tree.size(); ++id) {
    const bool open_leaf = tree.node(id).leaf() && !tree.locked(id);
    if (open_leaf && !promising(costs_[id])) tree.lock(id);
    if (!open_leaf) reopen_if_due(tree, id);
  }
  tree.backpropagate();
}

bool PathCosts::plan(Id leaf, Id action) {
  const Cost cost = after(leaf, action);
  const bool better = cost < bound_;
  if (better) bound_ = cost;
  mark(leaf, bound_ - actions_[action]);
  return better;
}

bool PathCosts::prune(Id leaf, Id action) {
  if (promising(after(leaf, action))) return false;
  mark(leaf, bound_ - cheapest_ - actions_[action]);
  return true;
}

void PathCosts::leave(const Tree& tree, Id leaf, Id action, Id known) {
  if (tree.node(known).parent != leaf) mark(leaf, costs_[known] - actions_[action]);
}

int PathCosts::compare(const Tree& tree, Id leaf, Id action, Id known) const {
  const Cost cost = after(leaf, action);
  if (cost != costs_[known]) return cost < costs_[known] ? -1 : 1;
  return tree.node(leaf).g + 1 - tree.node(known).g;
}

void PathCosts::move(Tree& tree, Id from, Id to) {
  const Node& old = tree.node(from);
  if (old.parent >= 0 && old.parent != tree.node(to).parent) mark(old.parent, costs_[to] - actions_[old.action]);
  const Cost below = std::exchange(again_below_[from], 0);
  if (due(costs_[to], below)) return tree.retire(from);
  again_below_[to] = below;
  tree.graft(from, to);
  if (costs_[to] < costs_[from]) lower(tree, to, costs_[from] - costs_[to]);
}

void PathCosts::mark(Id node, Cost below) { again_below_[node] = std::max(again_below_[node], below); }

void PathCosts::reopen_if_due(Tree& tree, Id id) {
  if (!due(costs_[id], again_below_[id])) return;
  again_below_[id] = kNone;
  tree.reopen(id);
}

/// The paths to all nodes under `id` get cheaper.
void PathCosts::lower(Tree& tree, Id id, Cost by) {
  stack_.assign(1, id);
  while (!stack_.empty()) {
    const Node top = tree.node(stack_.back());
    stack_.pop_back();
    for (Id child = top.first_child; child < top.first_child + top.children; ++child) {
      costs_[child] -= by;
      reopen_if_due(tree, child);
      if (!tree.node(child).leaf()) stack_.push_back(child);
    }
  }
}

}  // namespace banditplan
