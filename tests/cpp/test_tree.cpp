#include <cmath>

#include "bandits/bandit.hpp"
#include "check.hpp"
#include "open_lists/tree.hpp"

namespace bp = banditplan;
using bp::Id;
using bp::Statistics;
using bp::Tree;
using bp::Wide;

namespace {

const bp::MonteCarlo monte_carlo;

/// The data of every node, computed from its children, the youngest first; a grafted child is younger than its parent's
/// elder siblings, hence by decreasing g.
bool is_consistent(const Tree& tree) {
  std::vector<std::vector<Id>> levels;
  for (Id id = 0; id < tree.size(); ++id) {
    const auto g = static_cast<std::size_t>(tree.node(id).g);
    if (levels.size() <= g) levels.resize(g + 1);
    levels[g].push_back(id);
  }
  std::vector<Statistics> expected(static_cast<std::size_t>(tree.size()));
  for (std::size_t g = levels.size(); g-- > 0;)
    for (Id id : levels[g]) {
      const bp::Node& node = tree.node(id);
      if (node.leaf())
        expected[id] = Statistics::leaf(node.h, tree.locked(id));
      else
        for (Id i = 0; i < node.children; ++i) {
          const Id child = node.first_child + i;
          if (tree.node(child).parent != id || tree.node(child).g != node.g + 1) return false;
          expected[id].merge(expected[child]);
        }
      if (!(expected[id] == tree.statistics(id))) return false;
      if (tree.arm(id).mean != expected[id].mean() || tree.arm(id).variance != expected[id].variance()) return false;
    }
  Id locked = 0;
  for (Id id = 0; id < tree.size(); ++id) locked += tree.locked(id);
  return locked == tree.locked_nodes();
}

std::vector<Id> open_leaves(const Tree& tree) {
  std::vector<Id> leaves;
  for (Id id = 0; id < tree.size(); ++id)
    if (tree.node(id).leaf() && !tree.locked(id)) leaves.push_back(id);
  return leaves;
}

}  // namespace

TEST(tree_data_are_those_of_the_leaves) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Tree tree(monte_carlo);
    tree.plant(0, random.below(20));
    // Large values: their squares do not fit into 64 bits.
    const Id scale = random.chance(30) ? 1 << 26 : 1;
    for (int round = 0; round < 60; ++round) {
      const std::vector<Id> leaves = open_leaves(tree);
      if (leaves.empty()) break;
      const Id leaf = leaves[random.below(leaves.size())];
      if (random.chance(10)) tree.revalue(leaf, random.below(20) * scale);
      tree.open(leaf);
      const Id g = tree.node(leaf).g + 1;
      const Id old = tree.size();
      for (Id children = random.below(4); children > 0; --children) {
        const Id fresh = tree.attach(0, 0, random.below(20) * scale, false);
        // Not an ancestor: those have a smaller g.
        const Id other = random.below(static_cast<std::size_t>(fresh));
        if (random.chance(40) && tree.node(other).g >= g && !(other >= old && tree.node(other).g > g)) {
          if (seed % 2 == 0 || random.chance(70))
            tree.graft(other, fresh);
          else
            tree.retire(other);
        }
        // Something above the leaf stays open.
        const Id again = random.below(static_cast<std::size_t>(fresh));
        if (seed % 2 == 1 && random.chance(10) && tree.node(again).g >= g && again < old) tree.reopen(again);
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
  tree.plant(0, 7);
  Id leaf = 0;
  for (Id depth = 0; depth < 100'000; ++depth) {
    tree.open(leaf);
    leaf = tree.attach(depth, depth, depth % 11, false);
    tree.attach(depth, depth, 50, false);
    tree.close();
  }
  tree.backpropagate();
  CHECK(is_consistent(tree));
  CHECK(tree.path(leaf).size() == 100'000);
  // The whole subtree moves to a sibling of its root.
  const Id top = 1;
  tree.open(2);
  const Id fresh = tree.attach(0, 0, 0, false);
  tree.graft(tree.node(top).first_child, fresh);
  tree.close();
  tree.lock(leaf);
  tree.backpropagate();
  CHECK(is_consistent(tree));
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
