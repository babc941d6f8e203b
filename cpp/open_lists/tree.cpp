#include "open_lists/tree.hpp"

#include <algorithm>
#include <new>

namespace banditplan {

void Tree::plant(StateId state, Value h, Value rank) { push({}, {.state = state, .h = h}, rank); }

void Tree::revalue(NodeId id, Value h, Value rank) {
  touch(id);
  labels_[index(id)].h = h;
  Statistics data = leaf(h, rank);
  if (locked(id)) data.lock();
  set(id, data);
}

void Tree::lock(NodeId id) {
  touch(id);
  Statistics data = statistics(id);
  data.lock();
  set(id, data);
}

void Tree::open(NodeId id) {
  touch(id);
  opened_ = id;
  at(id).first_child = NodeId{static_cast<Id>(size())};
}

NodeId Tree::attach(ActionId action, StateId state, Value h, bool preferred, Value rank) {
  at(opened_).children = node(opened_).children + 1u;
  return push({.parent = opened_, .depth = node(opened_).depth + 1}, {state, action, h}, rank, preferred);
}

void Tree::take_children(NodeId from, NodeId to) {
  Node& old = at(from);
  Node& fresh = at(to);
  // What the new node adds to its parent's data is read in close(), hence it need not be touched; nor need the old one
  // if it is a child of the same parent.
  if (from < node(opened_).first_child) touch(from);
  if (!old.leaf() || locked(from)) {
    labels_[index(to)].h = label(from).h;
    set(to, statistics(from));
  }
  fresh.first_child = old.first_child;
  fresh.children = old.children;
  old.children = 0;
  for (std::size_t i = 0; i < count(to); ++i) at(child(to, i)).parent = to;
  set(from, Statistics::leaf(label(from).h, true));
}

void Tree::reopen(NodeId id, Value rank) {
  touch(id);
  release_children(id);
  set(id, leaf(label(id).h, rank));
}

void Tree::retire(NodeId id) {
  if (id < node(opened_).first_child) touch(id);  // as in take_children()
  release_children(id);
  set(id, Statistics::leaf(label(id).h, true));
}

void Tree::close() {
  if (node(opened_).leaf()) return lock(opened_);
  Statistics data;
  for (std::size_t i = 0; i < count(opened_); ++i) data.merge(statistics(child(opened_, i)));
  set(opened_, data);
}

/// Carries the changes upward, deepest first, so that every node is reached once, after all its children.
void Tree::backpropagate() {
  auto shallower = [this](const Change& a, const Change& b) { return node(a.node).depth < node(b.node).depth; };
  std::ranges::make_heap(changes_, shallower);
  while (!changes_.empty()) {
    std::ranges::pop_heap(changes_, shallower);
    const auto [changed, before] = changes_.back();
    changes_.pop_back();
    at(changed).touched = 0;
    const NodeId parent = node(changed).parent;
    const Statistics after = statistics(changed);
    if (parent == kNoNode || after == before) continue;
    if (changes_.empty()) return carry(changed, before);
    const bool reached = node(parent).touched == 1;
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
void Tree::carry(NodeId changed, Statistics before) {
  Statistics after = statistics(changed);
  Statistics sums = after;
  sums.retract_sums(before);  // may wrap around, and back again when it is merged
  bool extremes = true;
  for (NodeId parent = node(changed).parent; parent != kNoNode; parent = node(parent).parent) {
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

NodeId Tree::push(const Node& node, const Label& label, Value rank, bool preferred) {
  if (size() == most_) throw std::bad_alloc();
  nodes_.push_back(node);
  labels_.push_back(label);
  arms_.push_back({.preferred = preferred, .open_minimum = label.h});
  sums_.emplace_back();
  if (ranked_) ranks_.emplace_back();
  const NodeId id{static_cast<Id>(size() - 1)};
  set(id, leaf(label.h, rank));
  return id;
}

/// Remembers the data that the node's parent knows.
void Tree::touch(NodeId id) {
  if (node(id).touched == 1) return;
  at(id).touched = 1;
  changes_.push_back({id, statistics(id)});
}

/// Without a parent they keep their data up to date among themselves.
void Tree::release_children(NodeId id) {
  for (std::size_t i = 0; i < count(id); ++i) at(child(id, i)).parent = kNoNode;
  at(id).children = 0;
}

/// A child's data changed: so do those of its parent, which are `data`. The children are looked at only if an extreme
/// may have left.
void Tree::replace_extremes(NodeId parent, Statistics& data, const Statistics& before, const Statistics& after) {
  const bool left = (before.minimum == data.minimum && after.minimum > data.minimum) ||
                    (before.maximum == data.maximum && after.maximum < data.maximum) ||
                    (before.open_minimum == data.open_minimum && after.open_minimum > data.open_minimum) ||
                    (before.rank == data.rank && after.rank > data.rank);
  data.minimum = std::min(data.minimum, after.minimum);
  data.maximum = std::max(data.maximum, after.maximum);
  data.open_minimum = std::min(data.open_minimum, after.open_minimum);
  data.rank = std::min(data.rank, after.rank);
  if (!left) return;
  data.minimum = data.open_minimum = data.rank = Statistics::kNone;
  data.maximum = -1;
  for (const Arm& child : arms(parent)) {
    data.minimum = std::min(data.minimum, child.minimum);
    data.maximum = std::max(data.maximum, child.maximum);
    data.open_minimum = std::min(data.open_minimum, child.open_minimum);
  }
  for (const Value rank : ranks(parent)) data.rank = std::min(data.rank, rank);
}

}  // namespace banditplan
