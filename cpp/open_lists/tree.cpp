#include "open_lists/tree.hpp"

#include <algorithm>
#include <utility>

namespace banditplan {

std::vector<Id> Tree::path(Id id) const {
  std::vector<Id> actions;
  for (; nodes_[id].parent >= 0; id = nodes_[id].parent) actions.push_back(nodes_[id].action);
  std::ranges::reverse(actions);
  return actions;
}

void Tree::plant(Id state, Id h) { push({.state = state, .h = h}); }

void Tree::revalue(Id leaf, Id h) {
  touch(leaf);
  nodes_[leaf].h = h;
  set(leaf, Statistics::leaf(h, locked(leaf)));
}

void Tree::lock(Id leaf) {
  touch(leaf);
  Statistics data = statistics(leaf);
  data.open_minimum = Statistics::kNone;
  set(leaf, data);
}

void Tree::open(Id leaf) {
  touch(leaf);
  opened_ = leaf;
  nodes_[leaf].first_child = size();
}

Id Tree::attach(Id action, Id state, Id h, bool preferred) {
  ++nodes_[opened_].children;
  return push({opened_, action, state, nodes_[opened_].g + 1, h, -1, 0, false}, preferred);
}

void Tree::graft(Id from, Id to) {
  Node& old = nodes_[from];
  Node& fresh = nodes_[to];
  // What the new node adds to its parent's data is read in close(), hence it need not be touched; nor need the old one
  // if it is a child of the same parent.
  if (from < nodes_[opened_].first_child) touch(from);
  if (!old.leaf() || locked(from)) {
    fresh.h = old.h;
    set(to, statistics(from));
  }
  fresh.first_child = old.first_child;
  fresh.children = std::exchange(old.children, 0);
  for (Id child = fresh.first_child; child < fresh.first_child + fresh.children; ++child) nodes_[child].parent = to;
  lower(to, old.g - fresh.g);
  set(from, Statistics::leaf(old.h, true));
}

void Tree::reopen(Id id) {
  touch(id);
  release_children(id);
  set(id, Statistics::leaf(nodes_[id].h));
}

void Tree::retire(Id id) {
  if (id < nodes_[opened_].first_child) touch(id);  // as in graft()
  release_children(id);
  set(id, Statistics::leaf(nodes_[id].h, true));
}

void Tree::close() {
  if (nodes_[opened_].leaf()) return lock(opened_);
  Statistics data;
  const Node& node = nodes_[opened_];
  for (Id child = node.first_child; child < node.first_child + node.children; ++child) data.merge(statistics(child));
  set(opened_, data);
}

/// Carries the changes upward, deepest first, so that every node is reached once, after all its children.
void Tree::backpropagate() {
  auto shallower = [this](const Change& a, const Change& b) { return nodes_[a.node].g < nodes_[b.node].g; };
  std::ranges::make_heap(changes_, shallower);
  while (!changes_.empty()) {
    std::ranges::pop_heap(changes_, shallower);
    const auto [node, before] = changes_.back();
    changes_.pop_back();
    nodes_[node].touched = false;
    const Id parent = nodes_[node].parent;
    const Statistics after = statistics(node);
    if (parent < 0 || after == before) continue;
    if (changes_.empty()) return carry(node, before);
    const bool reached = nodes_[parent].touched;
    touch(parent);
    if (!reached) std::ranges::push_heap(changes_, shallower);
    Statistics data = statistics(parent);
    data.retract_sums(before);
    data.merge_sums(after);
    replace_extremes(parent, data, before, after);
    set(parent, data);
  }
}

/// Carries the change of one node to the root: the common case.
void Tree::carry(Id node, Statistics before) {
  Statistics after = statistics(node);
  Statistics sums = after;
  sums.retract_sums(before);  // may wrap around, and back again when it is merged
  bool extremes = true;
  for (Id parent = nodes_[node].parent; parent >= 0; parent = nodes_[parent].parent) {
    Statistics data = statistics(parent);
    data.merge_sums(sums);
    if (extremes) {
      const Statistics old = data;
      replace_extremes(parent, data, before, after);
      before = old;
      after = data;
      extremes = !data.same_extremes(old);
    }
    set(parent, data);
  }
}

Id Tree::push(const Node& node, bool preferred) {
  nodes_.push_back(node);
  arms_.push_back({.preferred = preferred, .open_minimum = node.h});
  sums_.emplace_back();
  set(size() - 1, Statistics::leaf(node.h));
  return size() - 1;
}

/// Remembers the data that the node's parent knows.
void Tree::touch(Id id) {
  if (std::exchange(nodes_[id].touched, true)) return;
  changes_.push_back({id, statistics(id)});
}

/// Lowers the g of all nodes under `id`.
void Tree::lower(Id id, Id by) {
  if (by == 0 || nodes_[id].leaf()) return;
  stack_.assign(1, id);
  while (!stack_.empty()) {
    const Node top = nodes_[stack_.back()];
    stack_.pop_back();
    for (Id child = top.first_child; child < top.first_child + top.children; ++child) {
      nodes_[child].g -= by;
      if (!nodes_[child].leaf()) stack_.push_back(child);
    }
  }
}

/// Without a parent they keep their data up to date among themselves.
void Tree::release_children(Id id) {
  for (Id child = nodes_[id].first_child; child < nodes_[id].first_child + nodes_[id].children; ++child)
    nodes_[child].parent = -1;
  nodes_[id].children = 0;
}

/// A child's data changed: so do those of its parent, which are `data`. The children are looked at only if an extreme
/// may have left.
void Tree::replace_extremes(Id parent, Statistics& data, const Statistics& before, const Statistics& after) {
  const bool left = (before.minimum == data.minimum && after.minimum > data.minimum) ||
                    (before.maximum == data.maximum && after.maximum < data.maximum) ||
                    (before.open_minimum == data.open_minimum && after.open_minimum > data.open_minimum);
  data.minimum = std::min(data.minimum, after.minimum);
  data.maximum = std::max(data.maximum, after.maximum);
  data.open_minimum = std::min(data.open_minimum, after.open_minimum);
  if (!left) return;
  data.minimum = data.open_minimum = Statistics::kNone;
  data.maximum = -1;
  for (const Arm& child : arms(parent)) {
    data.minimum = std::min(data.minimum, child.minimum);
    data.maximum = std::max(data.maximum, child.maximum);
    data.open_minimum = std::min(data.open_minimum, child.open_minimum);
  }
}

}  // namespace banditplan
