#include "trace/top.hpp"

#include <queue>
#include <tuple>

namespace banditplan {

std::vector<NodeId> top(const Tree& tree, std::span<const NodeId> first, std::size_t most) {
  std::vector<NodeId> found;
  if (tree.empty()) return found;
  auto rank = [&](NodeId id) {
    const auto depth = static_cast<std::size_t>(tree.node(id).depth);
    return std::tuple(depth < first.size() && first[depth] == id, tree.statistics(id).count, -static_cast<Id>(id));
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
