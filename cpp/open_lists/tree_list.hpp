#pragma once

#include <tuple>

#include "backups/monte_carlo.hpp"
#include "bandits/bandit.hpp"
#include "bandits/ucb1.hpp"
#include "heuristics/ff.hpp"
#include "open_lists/open_list.hpp"
#include "open_lists/tree.hpp"

namespace banditplan {

/// A search tree as an open list (Wissow and Asai 2024, Algorithm 1; Schulte and Keller 2014): from the root, a bandit
/// chooses a child at every node, and the leaf that is reached is next. The values of its children are carried back to
/// the root. A known state that is better reached from there moves with its subtree.
///
/// Of two heuristics, the first one ranks: a node has the least rank of the leaves under it that can be selected, and
/// only children with the least rank are offered to the bandit, which looks at the values of the second one.
///
/// A `bilevel` tree (Asai 2026) makes a small best-first search from the leaf before it carries anything back: with as
/// many expansions as the way down had levels, a selection costs as much as an expansion, however deep the tree is.
/// Collapsing makes trees flat: the children of a node take its place under its parent, if that has few children then.
struct TreeList : OpenList {
  static constexpr std::size_t kMostHeuristics = 2;

  std::vector<HeuristicPointer> heuristics{std::make_shared<Ff>()};
  std::shared_ptr<const Bandit> bandit = std::make_shared<Ucb1>();
  std::shared_ptr<const Backup> backup = std::make_shared<MonteCarlo>();
  bool preferred = false;   // choose among children reached by recommended actions, where there are any
  bool bilevel = false;     // go on from the leaf with the smallest values under it, before the next way from the root
  std::int64_t budget = 0;  // so many expansions in a row then; 0: as many as the leaf is deep
  std::int64_t collapse = 0;  // the children of a leaf take its place if there are fewer siblings than that then

  static constexpr std::int64_t kDepth = -1;  // as `collapse`: than the leaf is deep

  void add_to(Columns& columns) const override {
    for (const HeuristicPointer& heuristic : heuristics) columns.add(heuristic);
  }
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_preferred() const override { return preferred; }
  bool moves_subtrees() const override { return collapse == 0; }
  bool has_tree() const override { return true; }
  /// A state to which a relaxed plan led hangs under the one that was expanded, and not where its own path is: it may
  /// leave with a subtree although its path has not changed.
  bool complete(bool follows) const override { return !follows || collapse != 0; }
};

/// Is told how a tree is walked.
class TreeObserver {
 public:
  virtual ~TreeObserver() = default;
  /// A child was chosen among several, whose scores are there.
  virtual void chosen(const Tree& tree, NodeId parent, const Arms& arms, std::size_t index) = 0;
};

/// A tree list at work.
class TreeFrontier : public Frontier {
 public:
  TreeFrontier(const TreeList& options, const Columns& columns, SearchSpace& space);

  void push(const Expansion& expansion) override;
  void revalue(StateId state, std::span<const Value> row) override;
  void discard(StateId state) override;
  void discard_if(const std::function<bool(StateId)>& hopeless) override;
  void reopen(StateId state, std::span<const Value> row) override;
  /// Only a small search can tell.
  void tell(Coming& coming) const override;
  TreeFrontier* tree() override { return this; }

  /// The tree, with all data up to date.
  const Tree& grown() {
    tree_.backpropagate();
    return tree_;
  }
  /// The node of the state that was expanded or discarded last, if it has one.
  NodeId visited() const { return visited_; }
  /// Where a state is, if it is in the tree.
  NodeId node_of(StateId state) const { return index(state) < node_of_.size() ? node_of_[index(state)] : kNoNode; }
  void set_observer(TreeObserver* observer) { observer_ = observer; }
  /// Whether children take the place of their parents.
  bool collapses() const { return collapse_ != 0; }

 private:
  /// A state that the small search has found.
  struct Found {
    Value rank, h;
    Id number;  // in the order of discovery
    StateId state;

    /// The last one in a heap comes first: the least rank, then the least h, then the oldest.
    friend bool operator<(const Found& a, const Found& b) {
      return std::tie(b.rank, b.h, b.number) < std::tie(a.rank, a.h, a.number);
    }
  };

  StateId take(Random& random, const SearchSpace& space) override;
  StateId select(Random& random);
  StateId go_on();
  NodeId choose(NodeId parent, Random& random);
  std::size_t choose_observed(NodeId parent, Arms& arms, Random& random);
  void attach(const Expansion& expansion, std::size_t number);
  bool attaches(const Child& child) const;
  void open(NodeId leaf, const Expansion& expansion);
  /// What becomes of a state whose node moves; the node may be one that the state has left.
  auto told() {
    return [this](NodeId from, NodeId to) {
      NodeId& node = node_of_[index(tree_.label(to).state)];
      if (node == from) node = to;
    };
  }

  Value h(std::span<const Value> row) const { return row[h_column_]; }
  Value rank(std::span<const Value> row) const { return ranked_ ? row[rank_column_] : 0; }

  bool ranked_;
  std::size_t rank_column_, h_column_;
  SearchSpace& space_;
  std::shared_ptr<const Bandit> bandit_;
  std::shared_ptr<const Backup> backup_;
  bool preferred_, bilevel_;
  std::int64_t budget_, collapse_;
  Tree tree_;
  std::vector<NodeId> node_of_;  // per state; those that are not in the tree have none
  NodeId visited_ = kNoNode;
  StateId taken_ = kNoState;  // the last one
  std::int64_t left_ = 0;     // expansions of the small search under way
  std::vector<Found> below_;  // a heap of the states that it has found
  Id found_ = 0;              // so many
  TreeObserver* observer_ = nullptr;
  Logarithms logarithms_;
  std::vector<double> scores_;  // for the observer
};

}  // namespace banditplan
