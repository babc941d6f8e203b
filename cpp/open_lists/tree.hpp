#pragma once

#include <span>
#include <vector>

#include "backups/monte_carlo.hpp"
#include "statistics/arm.hpp"

namespace banditplan {

/// A node's place in the tree. 32 bytes; a node takes 88 with its data.
struct Node {
  Id parent = -1;
  Id action = -1;  // leads here from the parent's state
  Id state = -1;
  Id g = 0;
  Id h = 0;
  Id first_child = -1;  // the children have consecutive ids
  Id children = 0;
  bool touched = false;  // its change has not reached its parent yet

  bool leaf() const { return children == 0; }
};

static_assert(sizeof(Node) == 32);

/// A search tree over states. The data of a node are the h-values of the leaves under it; a node is locked if all
/// leaves under it are. A locked node still counts in the data of its ancestors.
///
/// An expansion is: `open(leaf)`, then for every child `attach` and perhaps `graft`, then `close()`, which reaches the
/// leaf's own data, and `backpropagate()`, which carries all changes to the root.
class Tree {
 public:
  /// The backup, which must live as long as the tree, says what stands in the arms for their means.
  explicit Tree(const Backup& backup, Center center = Center::mean)
      : backup_(&backup),
        center_(center),
        plain_(center == Center::mean && dynamic_cast<const MonteCarlo*>(&backup) != nullptr) {}

  bool empty() const { return nodes_.empty(); }
  Id size() const { return static_cast<Id>(nodes_.size()); }
  const Node& node(Id id) const { return nodes_[id]; }
  const Arm& arm(Id id) const { return arms_[id]; }
  Statistics statistics(Id id) const {
    const Arm& arm = arms_[id];
    return {sums_[id].sum, sums_[id].squares, arm.count, arm.minimum, arm.maximum, arm.open_minimum};
  }
  bool locked(Id id) const { return arms_[id].locked(); }
  Id locked_nodes() const { return locked_; }
  std::span<const Node> children(Id id) const { return {&nodes_[0] + nodes_[id].first_child, count(id)}; }
  /// Of the children, in the same order.
  std::span<const Arm> arms(Id id) const { return {&arms_[0] + nodes_[id].first_child, count(id)}; }
  /// The actions from the root to the node.
  std::vector<Id> path(Id id) const;

  void plant(Id state, Id h);
  /// Gives a leaf another value.
  void revalue(Id leaf, Id h);
  void lock(Id leaf);

  void open(Id leaf);
  Id attach(Id action, Id state, Id h, bool preferred);
  /// The node `to`, just attached for the same state, takes over the children of `from`, which stays a locked leaf.
  void graft(Id from, Id to);
  /// A node becomes an open leaf again. Its children leave the tree with their subtrees, until they are grafted.
  void reopen(Id id);
  /// During an expansion: a node becomes a locked leaf, and its children leave the tree.
  void retire(Id id);
  /// A leaf without children is locked.
  void close();

  void backpropagate();

 private:
  struct Change {
    Id node;
    Statistics before;
  };

  /// The sums of Statistics.
  struct Sums {
    std::uint64_t sum;
    Wide squares;
  };

  std::size_t count(Id id) const { return static_cast<std::size_t>(nodes_[id].children); }
  Id push(const Node& node, bool preferred = false);
  void set(Id id, const Statistics& data) {
    sums_[id] = {data.sum, data.squares};
    Arm& arm = arms_[id];
    locked_ += static_cast<Id>(data.locked()) - static_cast<Id>(arm.locked());
    arm.mean = plain_ ? data.mean() : backup_->value(data, center_);
    arm.variance = data.variance();
    arm.count = data.count & 0x7fffffffu;
    arm.minimum = data.minimum;
    arm.maximum = data.maximum;
    arm.open_minimum = data.open_minimum;
  }
  void touch(Id id);
  void lower(Id id, Id by);
  void release_children(Id id);
  void carry(Id node, Statistics before);
  void replace_extremes(Id parent, Statistics& data, const Statistics& before, const Statistics& after);

  const Backup* backup_;
  Center center_;
  bool plain_;  // the mean stands for itself; to know that saves a call at every level of the tree
  std::vector<Node> nodes_;
  std::vector<Arm> arms_;
  std::vector<Sums> sums_;
  Id opened_ = -1;
  Id locked_ = 0;                // so many nodes
  std::vector<Change> changes_;  // to be carried to the parents
  std::vector<Id> stack_;
};

}  // namespace banditplan
