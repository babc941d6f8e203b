#include "open_lists/tree.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace banditplan {

void Tree::plant(StateId state, Value h, Value rank) {
  push();
  put(kRoot, {}, {.state = state, .h = h}, rank, false);
}

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

void Tree::open(NodeId id, std::size_t children) {
  touch(id);
  begin(id, children > 0 ? block(room(children)) : ids());
  at(id).first_child = NodeId{static_cast<Id>(first_fresh_)};
}

NodeId Tree::attach(ActionId action, StateId state, Value h, bool preferred, Value rank) {
  NodeId id = hole_;
  if (hole_ == kNoNode || std::exchange(filled_, true)) {
    id = child(opened_, count(opened_));
    at(opened_).children = node(opened_).children + 1u;
    if (index(id) == ids()) push();
  }
  put(id, {.parent = opened_, .depth = node(opened_).depth + 1}, {state, action, h}, rank, preferred);
  return id;
}

void Tree::take_children(NodeId from, NodeId to) {
  Node& old = at(from);
  Node& fresh = at(to);
  // What the new node adds to its parent's data is read in close(), hence it need not be touched; nor need the old one
  // if it is a child of the same parent.
  if (!is_fresh(from)) touch(from);
  const bool known = !old.leaf() || locked(from);
  fresh.first_child = old.first_child;
  fresh.children = old.children;
  old.children = 0;
  if (known) {
    labels_[index(to)].h = label(from).h;
    set(to, statistics(from));
  }
  for (std::size_t i = 0; i < count(to); ++i) at(child(to, i)).parent = to;
  set(from, Statistics::leaf(label(from).h, true));
}

void Tree::reopen(NodeId id, Value rank) {
  touch(id);
  release_children(id);
  set(id, leaf(label(id).h, rank));
}

void Tree::retire(NodeId id) {
  if (!is_fresh(id)) touch(id);  // as in take_children()
  release_children(id);
  set(id, Statistics::leaf(label(id).h, true));
}

void Tree::close() {
  if (node(opened_).leaf()) return lock(opened_);
  Statistics fresh_data;
  if (hole_ != kNoNode) fresh_data = statistics(hole_);
  for (std::size_t id = first_fresh_; id < first(opened_) + count(opened_); ++id)
    fresh_data.merge(statistics(NodeId{static_cast<Id>(id)}));
  if (!extends_) return set(opened_, fresh_data);
  Statistics data = statistics(opened_);
  data.retract_sums(replaced_);
  data.merge_sums(fresh_data);
  replace_extremes(opened_, data, replaced_, fresh_data);
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
    if (parent == kNoNode || (after == before && !is_of_children_)) continue;
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

/// What the parent knows of a node that is about to go.
Statistics Tree::forget(NodeId id) {
  if (node(id).touched == 0) return statistics(id);
  const auto change = std::ranges::find(changes_, id, &Change::node);
  const Statistics known = change->before;
  changes_.erase(change);
  return known;
}

/// One id more, which is not in use.
void Tree::push() {
  if (ids() == most_) throw std::bad_alloc();
  nodes_.emplace_back();
  labels_.emplace_back();
  arms_.emplace_back();
  sums_.emplace_back();
  if (ranked_) ranks_.push_back(Statistics::kNone);
  ++vacant_;
}

/// Makes an id that of a leaf.
void Tree::put(NodeId id, const Node& node, const Label& label, Value rank, bool preferred) {
  if (labels_[index(id)].state == kNoState) {
    --vacant_;
    ++locked_;  // so it was counted
  }
  nodes_[index(id)] = node;
  labels_[index(id)] = label;
  arms_[index(id)].preferred = preferred ? 1 : 0;
  set(id, leaf(label.h, rank));
}

/// The first of so many ids in a row that are not in use.
std::size_t Tree::block(std::size_t size) {
  if (size < blocks_.size() && !blocks_[size].empty()) {
    const std::size_t first = index(blocks_[size].back());
    blocks_[size].pop_back();
    return first;
  }
  const std::size_t first = ids();
  while (ids() < first + size) push();
  return first;
}

/// Moves the children to a larger block, and frees the old one.
void Tree::relocate(NodeId parent, std::size_t size) {
  const std::size_t from = first(parent), siblings = count(parent), to = block(size);
  for (std::size_t i = 0; i < siblings; ++i) {
    const std::size_t old = from + i, now = to + i;
    nodes_[now] = nodes_[old];
    labels_[now] = labels_[old];
    arms_[now] = arms_[old];
    sums_[now] = sums_[old];
    if (ranked_) ranks_[now] = ranks_[old];
    for (std::size_t c = 0; c < nodes_[now].children; ++c)
      nodes_[index(nodes_[now].first_child) + c].parent = NodeId{static_cast<Id>(now)};
    nodes_[old] = {};
    labels_[old] = {};
    arms_[old] = {};
    sums_[old] = {};
    if (ranked_) ranks_[old] = Statistics::kNone;
  }
  at(parent).first_child = NodeId{static_cast<Id>(to)};
  for (Change& change : changes_)
    if (index(change.node) >= from && index(change.node) < from + siblings)
      change.node = NodeId{static_cast<Id>(index(change.node) - from + to)};
  if (blocks_.size() <= room(siblings)) blocks_.resize(room(siblings) + 1);
  blocks_[room(siblings)].push_back(static_cast<Id>(from));
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
