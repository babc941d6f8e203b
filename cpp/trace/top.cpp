#include "trace/top.hpp"

#include <queue>
#include <tuple>
#include <unordered_set>

namespace banditplan {

std::vector<NodeId> top(const Tree& tree, std::span<const NodeId> first, std::size_t most) {
  std::vector<NodeId> found;
  if (tree.empty()) return found;
  std::unordered_set<Id> above;
  for (NodeId id : first)
    for (; id != kNoNode && above.insert(static_cast<Id>(id)).second; id = tree.node(id).parent) continue;
  auto rank = [&](NodeId id) {
    return std::tuple(above.contains(static_cast<Id>(id)), tree.statistics(id).count, -static_cast<Id>(id));
  };
  auto later = [&](NodeId a, NodeId b) { return rank(a) < rank(b); };
  std::priority_queue<NodeId, std::vector<NodeId>, decltype(later)> waiting(later);
  waiting.push(Tree::kRoot);
  while (!waiting.empty() && found.size() < most) {
    const NodeId id = waiting.top();
    waiting.pop();
    found.push_back(id);
    for (std::size_t i = 0; i < tree.node(id).children; ++i) waiting.push(tree.child(id, i));
  }
  return found;
}

}  // namespace banditplan
