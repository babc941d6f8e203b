#pragma once

#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "backups/backup.hpp"
#include "statistics/arm.hpp"

namespace banditplan {

/// A node's place in the tree: what a way down or up reads at every level. 16 bytes; a node takes 84 with its label and
/// its data, or 88 with a rank.
struct alignas(16) Node {
  NodeId parent = kNoNode;
  Id depth = 0;
  NodeId first_child{0};  // if there are children: they have consecutive ids
  std::uint32_t children : 31 = 0;
  std::uint32_t touched : 1 = 0;  // its change has not reached its parent yet

  bool leaf() const { return children == 0; }
};

static_assert(sizeof(Node) == 16);

/// What a node stands for.
struct Label {
  StateId state = kNoState;
  ActionId action = kNoAction;  // leads here from the parent's state
  Value h = 0;
};

/// A search tree over states. The data of a node are the h-values of the leaves under it; a node is locked if all
/// leaves under it are. A locked node still counts in the data of its ancestors. Leaves may have ranks: a node has the
/// least one of the leaves under it that are not locked.
///
/// An expansion is: `open(leaf)`, then for every child `attach` and perhaps `graft` or `retire`, then `close()`, which
/// reaches the leaf's own data, and `backpropagate()`, which carries all changes to the root. With `replace(leaf)` in
/// place of `open(leaf)`, the children take the leaf's place under its parent, and the leaf goes.
class Tree {
 public:
  static constexpr NodeId kRoot{0};

  /// The backup, which must live as long as the tree, says what stands in the arms for their values. The tree holds
  /// `most` nodes; beyond that std::bad_alloc is thrown.
  explicit Tree(const Backup& backup, Center center = Center::mean, bool ranked = false, std::size_t most = kMostIds)
      : backup_(&backup),
        center_(center),
        is_mean_(backup.is_mean(center)),
        is_of_children_(backup.is_of_children()),
        ranked_(ranked),
        most_(most) {}

  bool empty() const { return nodes_.empty(); }
  /// Nodes of the tree.
  std::size_t size() const { return nodes_.size() - vacant_; }
  /// Their ids are below; an id that is not in use is that of a locked leaf without a state.
  std::size_t ids() const { return nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[index(id)]; }
  const Label& label(NodeId id) const { return labels_[index(id)]; }
  const Arm& arm(NodeId id) const { return arms_[index(id)]; }
  Statistics statistics(NodeId id) const {
    const Arm& data = arm(id);
    const Sums& sums = sums_[index(id)];
    return {sums.sum, sums.squares, data.count, data.minimum, data.maximum, data.open_minimum, rank(id)};
  }
  bool locked(NodeId id) const { return arm(id).locked(); }
  std::size_t locked_nodes() const { return locked_; }
  Value rank(NodeId id) const { return ranked_ ? ranks_[index(id)] : Statistics::kNone; }
  /// Of the children, in their order; nothing if there are no ranks.
  std::span<const Value> ranks(NodeId id) const {
    return ranked_ ? std::span(ranks_).subspan(first(id), count(id)) : std::span<const Value>();
  }
  /// Of the children, in their order.
  std::span<const Arm> arms(NodeId id) const { return {arms_.data() + first(id), count(id)}; }
  std::span<const Label> labels(NodeId id) const { return {labels_.data() + first(id), count(id)}; }
  NodeId child(NodeId id, std::size_t number) const { return NodeId{static_cast<Id>(first(id) + number)}; }

  /// Ranks are of no interest to a tree without them.
  void plant(StateId state, Value h, Value rank = 0);
  /// Gives a leaf other values.
  void revalue(NodeId leaf, Value h, Value rank = 0);
  void lock(NodeId leaf);

  /// In a tree where families grow, which needs to know that there are so many children at the most.
  void open(NodeId leaf, std::size_t children = 0);
  /// An inner node gets so many children more at the most. Those that it has may get other ids: `moved(from, to)`.
  template <class Moved>
  void extend(NodeId parent, std::size_t children, Moved&& moved) {
    touch(parent);
    const std::size_t known = count(parent), needed = room(known + children);
    if (needed > room(known)) {
      const NodeId before = node(parent).first_child;
      relocate(parent, needed);
      for (std::size_t i = 0; i < known; ++i) moved(NodeId{static_cast<Id>(index(before) + i)}, child(parent, i));
    }
    begin(parent, first(parent) + known);
    extends_ = true;
  }
  /// The same for the parent of the leaf, which goes.
  template <class Moved>
  void replace(NodeId leaf, std::size_t children, Moved&& moved) {
    const NodeId parent = node(leaf).parent;
    const std::size_t place = index(leaf) - first(parent);
    const Statistics known = forget(leaf);
    extend(parent, children - 1, moved);
    hole_ = child(parent, place);
    replaced_ = known;
  }
  NodeId attach(ActionId action, StateId state, Value h, bool preferred, Value rank = 0);
  /// The node `to`, just attached for the same state, takes over the children of `from`, which stays a locked leaf.
  /// Calls `lowered(parent, child)` for the nodes under `to`, as long as it returned true for their parents.
  template <class Lowered>
  void graft(NodeId from, NodeId to, Lowered&& lowered) {
    const Id levels = node(from).depth - node(to).depth;
    take_children(from, to);
    if (node(to).leaf()) return;
    stack_.assign(1, {to, true});
    while (!stack_.empty()) {
      const auto [parent, goes_on] = stack_.back();
      stack_.pop_back();
      for (std::size_t i = 0; i < count(parent); ++i) {
        const NodeId lower = child(parent, i);
        at(lower).depth -= levels;
        const bool told = goes_on && lowered(parent, lower);
        if (!node(lower).leaf() && (levels != 0 || told)) stack_.push_back({lower, told});
      }
    }
  }
  /// During an expansion: a node becomes a locked leaf, and its children leave the tree with their subtrees.
  void retire(NodeId id);
  /// A leaf without children is locked.
  void close();

  /// A node becomes an open leaf again, and its children leave the tree with their subtrees.
  void reopen(NodeId id, Value rank = 0);

  void backpropagate();

 private:
  struct Change {
    NodeId node;
    Statistics before;
  };

  /// The sums of Statistics.
  struct Sums {
    std::uint64_t sum;
    Wide squares;
  };

  /// A block for so many siblings has room for so many: a quarter more at the most.
  static std::size_t room(std::size_t siblings) {
    if (siblings <= 8) return siblings;
    const std::size_t step = std::bit_floor(siblings - 1) / 4;
    return (siblings + step - 1) / step * step;
  }

  Node& at(NodeId id) { return nodes_[index(id)]; }
  std::size_t first(NodeId id) const { return index(node(id).first_child); }
  std::size_t count(NodeId id) const { return node(id).children; }
  /// Children of the node are about to be attached, from that id on.
  void begin(NodeId parent, std::size_t first_fresh) {
    opened_ = parent;
    first_fresh_ = first_fresh;
    hole_ = kNoNode;
    filled_ = extends_ = false;
    replaced_ = {};
  }
  Statistics forget(NodeId id);
  void push();
  Statistics leaf(Value h, Value rank) const { return Statistics::leaf(h, false, ranked_ ? rank : Statistics::kNone); }
  void set(NodeId id, const Statistics& data) {
    sums_[index(id)] = {data.sum, data.squares};
    Arm& arm = arms_[index(id)];
    locked_ += static_cast<std::size_t>(data.locked()) - static_cast<std::size_t>(arm.locked());
    if (is_of_children_ && !node(id).leaf()) {
      const Gaussian value = backup_->of_children(arms(id));
      arm.estimate = value.mean;
      arm.variance = value.variance;
    } else {
      arm.estimate = is_mean_ ? data.mean() : backup_->value(data, center_);
      arm.variance = data.variance();
    }
    arm.count = data.count & 0x7fffffffu;
    arm.minimum = data.minimum;
    arm.maximum = data.maximum;
    arm.open_minimum = data.open_minimum;
    if (ranked_) ranks_[index(id)] = data.rank;
  }
  void touch(NodeId id);
  /// Whether the node was attached since the last `open` or `replace`.
  bool is_fresh(NodeId id) const {
    return node(id).parent == opened_ && ((id == hole_ && filled_) || index(id) >= first_fresh_);
  }
  void put(NodeId id, const Node& node, const Label& label, Value rank, bool preferred);
  std::size_t block(std::size_t size);
  void relocate(NodeId parent, std::size_t size);
  void take_children(NodeId from, NodeId to);
  void release_children(NodeId id);
  void carry(NodeId node, Statistics before);
  void replace_extremes(NodeId parent, Statistics& data, const Statistics& before, const Statistics& after);

  const Backup* backup_;
  Center center_;
  bool is_mean_, is_of_children_, ranked_;
  std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<Label> labels_;
  std::vector<Arm> arms_;
  std::vector<Sums> sums_;
  std::vector<Value> ranks_;             // if there are any
  NodeId opened_ = kNoNode;              // whose children are being attached
  std::size_t first_fresh_ = 0;          // they have ids from here on, apart from
  NodeId hole_ = kNoNode;                // the place of a leaf that they replace,
  bool filled_ = false;                  // which the first of them takes
  Statistics replaced_;                  // what the parent knows of that leaf
  bool extends_ = false;                 // it has other children
  std::size_t locked_ = 0;               // so many nodes
  std::size_t vacant_ = 0;               // ids that are not in use
  std::vector<std::vector<Id>> blocks_;  // by size: the first ids of those that are free
  std::vector<Change> changes_;          // to be carried to the parents
  std::vector<std::pair<NodeId, bool>> stack_;
};

}  // namespace banditplan
