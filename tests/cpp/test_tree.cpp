#include <cmath>
#include <new>

#include "backups/monte_carlo.hpp"
#include "bandits/bandit.hpp"
#include "check.hpp"
#include "open_lists/tree.hpp"
#include "statistics/gaussian.hpp"
#include "task/task.hpp"

namespace bp = banditplan;
using bp::ActionId;
using bp::Id;
using bp::NodeId;
using bp::StateId;
using bp::Statistics;
using bp::Tree;
using bp::Wide;

namespace {

const bp::MonteCarlo monte_carlo;

NodeId named(std::size_t id) { return NodeId{static_cast<Id>(id)}; }

/// The data of every node, computed from its children, the youngest first; a grafted child is younger than its parent's
/// elder siblings, hence by decreasing depth.
bool is_consistent(const Tree& tree) {
  std::vector<std::vector<NodeId>> levels;
  for (std::size_t id = 0; id < tree.size(); ++id) {
    const auto depth = static_cast<std::size_t>(tree.node(named(id)).depth);
    if (levels.size() <= depth) levels.resize(depth + 1);
    levels[depth].push_back(named(id));
  }
  std::vector<Statistics> expected(tree.size());
  for (std::size_t depth = levels.size(); depth-- > 0;)
    for (NodeId id : levels[depth]) {
      const bp::Node& node = tree.node(id);
      Statistics& data = expected[bp::index(id)];
      if (node.leaf())
        data = Statistics::leaf(tree.label(id).h, tree.locked(id));
      else
        for (std::size_t i = 0; i < node.children; ++i) {
          const NodeId child = tree.child(id, i);
          if (tree.node(child).parent != id || tree.node(child).depth != node.depth + 1) return false;
          data.merge(expected[bp::index(child)]);
        }
      if (!(data == tree.statistics(id))) return false;
      if (tree.arm(id).estimate != data.mean() || tree.arm(id).variance != data.variance()) return false;
    }
  std::size_t locked = 0;
  for (std::size_t id = 0; id < tree.size(); ++id) locked += tree.locked(named(id));
  return locked == tree.locked_nodes();
}

std::vector<NodeId> open_leaves(const Tree& tree) {
  std::vector<NodeId> leaves;
  for (std::size_t id = 0; id < tree.size(); ++id)
    if (tree.node(named(id)).leaf() && !tree.locked(named(id))) leaves.push_back(named(id));
  return leaves;
}

/// The data of a node, computed from the leaves under it; counts the nodes, and checks what each says of itself.
Statistics data_under(const Tree& tree, NodeId id, std::size_t& nodes) {
  ++nodes;
  const bp::Node& node = tree.node(id);
  if (node.leaf()) return Statistics::leaf(tree.label(id).h, tree.locked(id), tree.rank(id));
  Statistics data;
  for (std::size_t i = 0; i < node.children; ++i) {
    const NodeId child = tree.child(id, i);
    CHECK(tree.node(child).parent == id && tree.node(child).depth == node.depth + 1);
    data.merge(data_under(tree, child, nodes));
  }
  CHECK(data == tree.statistics(id));
  return data;
}

const auto nobody = [](NodeId, NodeId) { return true; };

}  // namespace

TEST(tree_data_are_those_of_the_leaves) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Tree tree(monte_carlo);
    tree.plant(StateId{0}, random.below(20));
    // Large values: their squares do not fit into 64 bits.
    const Id scale = random.chance(30) ? 1 << 26 : 1;
    for (int round = 0; round < 60; ++round) {
      const std::vector<NodeId> leaves = open_leaves(tree);
      if (leaves.empty()) break;
      const NodeId leaf = leaves[static_cast<std::size_t>(random.below(leaves.size()))];
      if (random.chance(10)) tree.revalue(leaf, random.below(20) * scale);
      tree.open(leaf);
      const Id depth = tree.node(leaf).depth + 1;
      const NodeId old = named(tree.size());
      for (Id children = random.below(4); children > 0; --children) {
        const NodeId fresh = tree.attach(ActionId{0}, StateId{0}, random.below(20) * scale, false);
        // Not an ancestor: those are less deep.
        const NodeId other{random.below(bp::index(fresh))};
        if (random.chance(40) && tree.node(other).depth >= depth && !(other >= old && tree.node(other).depth > depth)) {
          if (seed % 2 == 0 || random.chance(70))
            tree.graft(other, fresh, nobody);
          else
            tree.retire(other);
        }
        // Something above the leaf stays open.
        const NodeId again{random.below(bp::index(fresh))};
        if (seed % 2 == 1 && random.chance(10) && tree.node(again).depth >= depth && again < old) tree.reopen(again);
      }
      tree.close();
      if (random.chance(70)) tree.backpropagate();  // otherwise with the next one
    }
    tree.backpropagate();
    CHECK(is_consistent(tree));
  }
}

TEST(tree_may_be_deep) {
  Tree tree(monte_carlo);
  tree.plant(StateId{0}, 7);
  NodeId leaf = Tree::kRoot;
  for (Id depth = 0; depth < 100'000; ++depth) {
    tree.open(leaf);
    leaf = tree.attach(ActionId{depth}, StateId{depth}, depth % 11, false);
    tree.attach(ActionId{depth}, StateId{depth}, 50, false);
    tree.close();
  }
  tree.backpropagate();
  CHECK(is_consistent(tree));
  CHECK(tree.node(leaf).depth == 100'000);
  // The whole subtree moves to a sibling of its root, and one level up; those who ask are told, as far as they ask.
  const NodeId top = tree.node(NodeId{1}).first_child;
  Id told = 0;
  tree.open(NodeId{2});
  const NodeId fresh = tree.attach(ActionId{0}, StateId{0}, 0, false);
  tree.graft(tree.node(top).first_child, fresh, [&](NodeId parent, NodeId child) {
    CHECK(tree.node(child).parent == parent);
    return ++told < 1000;  // no further below this one
  });
  tree.close();
  tree.lock(leaf);
  tree.backpropagate();
  CHECK(is_consistent(tree));
  CHECK(tree.node(leaf).depth == 99'999);
  CHECK(told >= 1000 && told <= 1002);
}

TEST(tree_families_grow) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Tree tree(monte_carlo, bp::Center::mean, true);
    std::vector<NodeId> node_of{Tree::kRoot};  // per state
    const auto moved = [&](NodeId from, NodeId to) {
      NodeId& node = node_of[bp::index(tree.label(to).state)];
      if (node == from) node = to;
    };
    tree.plant(StateId{0}, random.below(20), random.below(3));
    for (int round = 0; round < 80; ++round) {
      std::vector<NodeId> leaves;
      for (std::size_t id = 0; id < tree.ids(); ++id)
        if (tree.node(named(id)).leaf() && !tree.locked(named(id))) leaves.push_back(named(id));
      if (leaves.empty()) break;
      const NodeId leaf = leaves[static_cast<std::size_t>(random.below(leaves.size()))];
      if (random.chance(20)) tree.revalue(leaf, random.below(20), random.below(3));
      const auto children = static_cast<std::size_t>(random.below(5));
      const StateId state = tree.label(leaf).state;
      if (children > 0 && leaf != Tree::kRoot && random.chance(60)) {
        node_of[bp::index(state)] = bp::kNoNode;
        tree.replace(leaf, children, moved);
      } else {
        tree.open(leaf, children);
      }
      for (std::size_t i = 0; i < children; ++i) {
        const StateId fresh{static_cast<Id>(node_of.size())};
        node_of.push_back(tree.attach(ActionId{0}, fresh, random.below(20), random.chance(30), random.below(3)));
      }
      tree.close();
      if (random.chance(20) && !tree.node(Tree::kRoot).leaf()) {
        const StateId fresh{static_cast<Id>(node_of.size())};
        tree.extend(Tree::kRoot, 1, moved);
        node_of.push_back(tree.attach(ActionId{0}, fresh, random.below(20), false, random.below(3)));
        tree.close();
      }
      if (random.chance(50)) tree.backpropagate();
    }
    tree.backpropagate();
    std::size_t nodes = 0;
    CHECK(tree.statistics(Tree::kRoot) == data_under(tree, Tree::kRoot, nodes));
    CHECK(nodes == tree.size());
    for (std::size_t s = 0; s < node_of.size(); ++s)
      if (node_of[s] != bp::kNoNode) CHECK(bp::index(tree.label(node_of[s]).state) == s);
  }
}

TEST(tree_ends_where_nodes_cannot_be_told_apart_any_more) {
  Tree tree(monte_carlo, bp::Center::mean, false, 3);
  tree.plant(StateId{0}, 7);
  tree.open(Tree::kRoot);
  tree.attach(ActionId{0}, StateId{1}, 5, false);
  tree.attach(ActionId{1}, StateId{2}, 5, false);
  CHECK_THROWS(std::bad_alloc, tree.attach(ActionId{2}, StateId{3}, 5, false));
}

TEST(statistics_are_exact) {
  const std::vector<Id> values = {9, 2, 6, 3};
  Statistics data;
  for (Id h : values) data.merge(Statistics::leaf(h));
  CHECK(data.mean() == 5 && data.variance() == 7.5 && data.minimum == 2 && data.maximum == 9 && !data.locked());
  const Statistics before = data;
  for (Id h : {bp::kDeadEnd - 1, 0, bp::kDeadEnd - 1, 17}) {
    const Statistics leaf = Statistics::leaf(h, true);
    data.merge_sums(leaf);
    data.merge_sums(leaf);
    data.retract_sums(leaf);
  }
  for (Id h : {17, 0, bp::kDeadEnd - 1, bp::kDeadEnd - 1}) data.retract_sums(Statistics::leaf(h));
  CHECK(data == before);
  Statistics large;
  for (int i = 0; i < 1000; ++i) large.merge(Statistics::leaf(i % 2 == 0 ? bp::kDeadEnd - 1 : bp::kDeadEnd - 3));
  CHECK(large.variance() == 1);
  CHECK(static_cast<double>(Wide::product(1ull << 63, 6)) == std::ldexp(3, 64));
}

TEST(random_numbers_are_portable) {
  bp::Random random(0);
  CHECK(random.next() == 0x99ec5f36cb75f2b4ull);  // as the authors' C code gives it
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (int count : counts) CHECK(std::abs(count - 10'000) < 500);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  CHECK(std::abs(sum / 100'000) < 0.02 && std::abs(squares / 100'000 - 1) < 0.03);
  for (double x = 1; x < 1e9; x *= 1.37) CHECK(std::abs(bp::logarithm(x) - std::log(x)) <= 1e-15 * std::log(x) + 1e-16);
}

TEST(the_smaller_of_two_normal_variables) {
  bp::Random random(1);
  for (const auto& [a, b] :
       {std::pair<bp::Gaussian, bp::Gaussian>{{5, 4}, {6, 1}}, {{3, 0.25}, {3, 9}}, {{2, 0}, {1, 4}}}) {
    double sum = 0, squares = 0;
    const int draws = 200'000;
    for (int i = 0; i < draws; ++i) {
      const double x =
          std::min(a.mean + std::sqrt(a.variance) * random.normal(), b.mean + std::sqrt(b.variance) * random.normal());
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws, variance = squares / draws - mean * mean;
    const bp::Gaussian least = bp::smaller(a, b), same = bp::smaller(b, a);
    CHECK(std::abs(least.mean - mean) < 0.02 && std::abs(least.variance - variance) < 0.05);
    CHECK(std::abs(least.mean - same.mean) < 1e-6 && std::abs(least.variance - same.variance) < 1e-6);
  }
  for (double x = -6; x < 6; x += 0.01)
    CHECK(std::abs(bp::normal_probability(x, bp::normal_density(x)) - std::erfc(-x / std::sqrt(2)) / 2) < 1e-7);
  const bp::Gaussian certain = bp::smaller({4, 0}, {3, 0}), far = bp::smaller({0, 1}, {1e6, 1});
  CHECK(certain.mean == 3 && certain.variance == 0);
  CHECK(std::abs(far.mean) < 1e-9 && std::abs(far.variance - 1) < 1e-9);
}
