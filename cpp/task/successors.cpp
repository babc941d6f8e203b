#include "task/successors.hpp"

#include <algorithm>
#include <numeric>

namespace banditplan {

SuccessorGenerator::SuccessorGenerator(const Task& task) : task_(task), has_negated_(task.actions(), false) {
  Lists<Id> positive;
  for (std::size_t a = 0; a < task.actions(); ++a) {
    for (Id fact : task.preconditions[a])
      if (task.facts[fact].negated)
        has_negated_[a] = true;
      else
        positive.add(fact);
    positive.close();
    std::ranges::sort(positive[a]);  // facts are numbered by variable
  }
  build(positive);
}

/// In the lexicographic order of their conditions, the actions below every node are a range: first those whose
/// conditions are used up (a leaf), then those that test the first variable (a switch), then the rest (chained).
void SuccessorGenerator::build(const Lists<Id>& conditions) {
  std::vector<Id> order(task_.actions());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](Id a, Id b) {
    const auto x = conditions[a], y = conditions[b];
    return std::ranges::equal(x, y) ? a < b : std::ranges::lexicographical_compare(x, y);
  });
  struct Range {
    std::size_t begin, end, depth;
    std::size_t link;  // where in `nodes_` the offset of the range's node goes
  };
  nodes_ = {kNone};  // the link to the root
  std::vector<Range> todo;
  if (!order.empty()) todo.push_back({0, order.size(), 0, 0});
  while (!todo.empty()) {
    const Range range = todo.back();
    todo.pop_back();
    const std::size_t node = nodes_.size();
    nodes_[range.link] = static_cast<Id>(node);
    std::size_t end = range.begin;
    while (end < range.end && conditions[order[end]].size() == range.depth) ++end;
    if (end > range.begin) {
      nodes_.push_back(~static_cast<Id>(end - range.begin));
      nodes_.push_back(kNone);
      for (std::size_t i = range.begin; i < end; ++i) nodes_.push_back(order[i]);
    } else {
      auto fact_at = [&](std::size_t i) { return conditions[order[i]][range.depth]; };
      const Id variable = task_.facts[fact_at(end)].variable;
      nodes_.push_back(variable);
      nodes_.resize(nodes_.size() + 1 + static_cast<std::size_t>(task_.variables[variable].values), kNone);
      while (end < range.end && task_.facts[fact_at(end)].variable == variable) {
        const std::size_t begin = end;
        while (end < range.end && fact_at(end) == fact_at(begin)) ++end;
        const auto value = static_cast<std::size_t>(task_.facts[fact_at(begin)].value);
        todo.push_back({begin, end, range.depth + 1, node + 2 + value});
      }
    }
    if (end < range.end) todo.push_back({end, range.end, range.depth, node + 1});
  }
}

void SuccessorGenerator::applicable(const Id* state, std::vector<Id>& actions) {
  const std::size_t first = actions.size();
  stack_.clear();
  if (nodes_[0] != kNone) stack_.push_back(nodes_[0]);
  while (!stack_.empty()) {
    const Id* node = nodes_.data() + stack_.back();
    stack_.pop_back();
    if (node[1] != kNone) stack_.push_back(node[1]);
    if (node[0] >= 0) {
      const Id child = node[2 + state[node[0]]];
      if (child != kNone) stack_.push_back(child);
    } else {
      for (Id i = 0; i < ~node[0]; ++i) {
        const Id action = node[2 + i];
        if (!has_negated_[action] || holds(task_, task_.preconditions[action], state)) actions.push_back(action);
      }
    }
  }
  std::sort(actions.begin() + static_cast<std::ptrdiff_t>(first), actions.end());
}

void Applier::apply(Id action, const Id* from, Id* to) {
  std::copy_n(from, task_.variables.size(), to);
  for (const Effect& effect : task_.effects[action]) {
    if (effect.condition != 0 && !holds(task_, task_.conditions[effect.condition], from)) continue;
    const Fact& fact = task_.facts[effect.fact];
    to[fact.variable] = fact.value;
  }
  axioms_.evaluate(to);
}

}  // namespace banditplan
