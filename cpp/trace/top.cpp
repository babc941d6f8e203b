#include "trace/top.hpp"

#include <queue>

namespace banditplan {

std::vector<Id> top(const Tree& tree, std::span<const Id> first, std::size_t most) {
  std::vector<Id> found;
  if (tree.empty()) return found;
  auto rank = [&](Id id) {
    const auto g = static_cast<std::size_t>(tree.node(id).g);
    return std::tuple(g < first.size() && first[g] == id, tree.statistics(id).count, -id);
  };
  auto later = [&](Id a, Id b) { return rank(a) < rank(b); };
  std::priority_queue<Id, std::vector<Id>, decltype(later)> waiting(later);
  waiting.push(0);
  while (!waiting.empty() && found.size() < most) {
    const Id id = waiting.top();
    waiting.pop();
    found.push_back(id);
    const Node& node = tree.node(id);
    for (Id child = node.first_child; child < node.first_child + node.children; ++child) waiting.push(child);
  }
  return found;
}

}  // namespace banditplan
