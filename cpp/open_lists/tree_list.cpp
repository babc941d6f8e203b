#include "open_lists/tree_list.hpp"

#include <algorithm>
#include <queue>

namespace banditplan {

std::unique_ptr<Frontier> TreeList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<TreeFrontier>(*this, columns, space);
}

TreeFrontier::TreeFrontier(const TreeList& options, const Columns& columns, SearchSpace& space)
    : ranked_(options.heuristics.size() > 1),
      rank_column_(columns.of(*options.heuristics.front())),
      h_column_(columns.of(*options.heuristics.back())),
      space_(space),
      bandit_(options.bandit),
      backup_(options.backup),
      preferred_(options.preferred),
      bilevel_(options.bilevel),
      budget_(options.budget),
      collapse_(options.collapse),
      tree_(*backup_, bandit_->center(), ranked_) {}

// ---- select

StateId TreeFrontier::take(Random& random, const SearchSpace&) {
  taken_ = left_ > 0 ? go_on() : kNoState;
  if (taken_ == kNoState) taken_ = select(random);
  return taken_;
}

/// Follows the bandit's choices from the root to a leaf.
StateId TreeFrontier::select(Random& random) {
  tree_.backpropagate();
  if (tree_.empty() || tree_.locked(Tree::kRoot)) return kNoState;
  NodeId node = Tree::kRoot;
  while (!tree_.node(node).leaf()) node = choose(node, random);
  if (bilevel_) {
    left_ = std::max<std::int64_t>(budget_ > 0 ? budget_ : tree_.node(node).depth, 1) - 1;
    below_.clear();
    found_ = 0;
  }
  return tree_.label(node).state;
}

/// The best state below the leaf that was selected; kNoState: none is left.
StateId TreeFrontier::go_on() {
  while (!below_.empty()) {
    std::pop_heap(below_.begin(), below_.end());
    const StateId state = below_.back().state;
    below_.pop_back();
    const NodeId node = node_of(state);
    if (node == kNoNode || !tree_.node(node).leaf() || tree_.locked(node)) continue;
    --left_;
    return state;
  }
  left_ = 0;
  return kNoState;
}

/// From the top of the heap downwards: what comes next is among the children of what came before.
void TreeFrontier::tell(Coming& coming) const {
  const auto later = [this](std::size_t a, std::size_t b) { return below_[a] < below_[b]; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> next(later);
  if (!below_.empty()) next.push(0);
  if (bilevel_) coming.end_after(left_);
  for (std::int64_t left = left_; left > 0 && !next.empty(); --left) {
    const std::size_t place = next.top();
    next.pop();
    const Found& found = below_[place];
    if (!(ranked_ ? coming.take(found.state) : coming.take(found.state, h_column_, found.h))) return;
    for (std::size_t child : {2 * place + 1, 2 * place + 2})
      if (child < below_.size()) next.push(child);
  }
}

/// A child that is not locked; with preferred operators, one of theirs if there is any; of those, one of the least
/// rank.
NodeId TreeFrontier::choose(NodeId parent, Random& random) {
  const std::uint32_t total = tree_.arm(parent).count;
  Arms arms{tree_.arms(parent), static_cast<double>(total), logarithms_.of(total), preferred_};
  if (arms.preferred && !arms.any([](const Arm&) { return true; })) arms.preferred = false;
  if (ranked_) {
    const std::span<const Value> ranks = tree_.ranks(parent);
    arms.rank = Statistics::kNone;
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (arms.offers(arms.all[i])) arms.rank = std::min(arms.rank, ranks[i]);
    arms.ranks = ranks;
  }
  return tree_.child(parent, observer_ ? choose_observed(parent, arms, random) : bandit_->choose(arms, random));
}

std::size_t TreeFrontier::choose_observed(NodeId parent, Arms& arms, Random& random) {
  scores_.resize(arms.all.size());
  arms.scores = scores_.data();
  const std::size_t chosen = bandit_->choose(arms, random);
  if (arms.offered() > 1) observer_->chosen(tree_, parent, arms, chosen);
  return chosen;
}

// ---- attach, backpropagate

void TreeFrontier::push(const Expansion& expansion) {
  node_of_.resize(space_.size(), kNoNode);
  if (expansion.state == kNoState) {
    for (std::size_t i = 0; i < expansion.children.size(); ++i) {
      tree_.plant(expansion.children[i].state, h(expansion.row(i)), rank(expansion.row(i)));
      node_of_[index(expansion.children[i].state)] = Tree::kRoot;
    }
    return;
  }
  const NodeId leaf = visited_ = node_of(expansion.state);
  if (leaf == kNoNode || !tree_.node(leaf).leaf()) return;
  open(leaf, expansion);
  for (std::size_t i = 0; i < expansion.children.size(); ++i) attach(expansion, i);
  tree_.close();
  if (!bilevel_) return tree_.backpropagate();
  if (left_ == 0 || expansion.state != taken_) return;
  for (std::size_t i = 0; i < expansion.children.size(); ++i) {
    if (!expansion.children[i].is_new) continue;
    below_.push_back({rank(expansion.row(i)), h(expansion.row(i)), found_++, expansion.children[i].state});
    std::push_heap(below_.begin(), below_.end());
  }
}

/// Whether a child gets a node. A known state that has none was left out on purpose, unless the tree has collapsed
/// there.
bool TreeFrontier::attaches(const Child& child) const {
  if (child.is_new) return true;
  return collapse_ == 0 ? node_of(child.state) != kNoNode : child.again;
}

/// The children of the leaf come next; they take its place if the tree collapses.
void TreeFrontier::open(NodeId leaf, const Expansion& expansion) {
  if (collapse_ == 0) return tree_.open(leaf);
  const auto attached = [this](const Child& child) { return attaches(child); };
  const auto children = static_cast<std::size_t>(std::ranges::count_if(expansion.children, attached));
  const Id depth = tree_.node(leaf).depth;
  const std::int64_t most = collapse_ == TreeList::kDepth ? depth : collapse_;
  const NodeId parent = tree_.node(leaf).parent;
  if (children == 0 || parent == kNoNode ||
      static_cast<std::int64_t>(tree_.node(parent).children + children) - 1 >= most)
    return tree_.open(leaf, children);
  node_of_[index(expansion.state)] = kNoNode;
  visited_ = parent;
  tree_.replace(leaf, children, told());
}

/// Makes a state a child of the leaf that is being expanded. A known one moves here with its subtree or, if it is to be
/// expanded again, without.
void TreeFrontier::attach(const Expansion& expansion, std::size_t number) {
  const Child& child = expansion.children[number];
  if (!attaches(child)) return;
  const NodeId known = node_of_[index(child.state)];
  const bool has_row = child.is_new || expansion.all_known;
  const Value value = has_row || known == kNoNode ? h(expansion.row(number)) : tree_.label(known).h;
  const Value rank_value = has_row || known == kNoNode ? rank(expansion.row(number)) : tree_.rank(known);
  const NodeId node = tree_.attach(child.action, child.state, value, child.preferred, rank_value);
  node_of_[index(child.state)] = node;
  // What hangs under a node of a tree that collapses need not be reached through its state any more, and stays.
  if (child.again && known != kNoNode && (collapse_ == 0 || tree_.node(known).leaf())) tree_.retire(known);
  if (child.is_new || child.again) return;
  tree_.graft(known, node, [&](NodeId parent, NodeId lower) {
    const StateId state = tree_.label(lower).state;
    if (node_of_[index(state)] != lower || space_.origin(state).parent != tree_.label(parent).state) return false;
    return space_.follow_parent(state);
  });
}

void TreeFrontier::revalue(StateId state, std::span<const Value> row) {
  if (const NodeId node = node_of(state); node != kNoNode && tree_.node(node).leaf())
    tree_.revalue(node, h(row), rank(row));
}

void TreeFrontier::discard(StateId state) {
  const NodeId node = node_of(state);
  if (node == kNoNode || !tree_.node(node).leaf()) return;
  visited_ = node;
  tree_.lock(node);
  if (!bilevel_) tree_.backpropagate();
}

void TreeFrontier::discard_if(const std::function<bool(StateId)>& hopeless) {
  for (Id id = 0; index(id) < tree_.ids(); ++id) {
    const NodeId node{id};
    if (tree_.node(node).leaf() && !tree_.locked(node) && hopeless(tree_.label(node).state)) tree_.lock(node);
  }
  tree_.backpropagate();
}

void TreeFrontier::reopen(StateId state, std::span<const Value> row) {
  const NodeId node = node_of(state);
  if (node != kNoNode && (collapse_ == 0 || tree_.node(node).leaf())) return tree_.reopen(node, rank(row));
  if (collapse_ == 0) return;
  tree_.extend(Tree::kRoot, 1, told());
  node_of_[index(state)] = tree_.attach(space_.origin(state).action, state, h(row), false, rank(row));
  tree_.close();
}

}  // namespace banditplan
