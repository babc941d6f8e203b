#include "task/axioms.hpp"

#include <algorithm>

namespace banditplan {

AxiomEvaluator::AxiomEvaluator(const Task& task) : task_(task) {
  if (empty()) return;
  readers_ = Lists<Id>::inverse(task.axiom_bodies, task.facts.size(), [](Id fact) { return fact; });
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    if (!task.variables[v].derived()) continue;
    const auto layer = static_cast<std::size_t>(task.variables[v].layer);
    if (layers_.size() <= layer) layers_.resize(layer + 1);
    layers_[layer].push_back(static_cast<Id>(v));
  }
  negated_ = negated_facts(task);
  for (std::size_t x = 0; x < task.axioms(); ++x) body_sizes_.push_back(static_cast<Id>(task.axiom_bodies[x].size()));
}

void AxiomEvaluator::evaluate(Id* state) {
  if (empty()) return;
  missing_ = body_sizes_;
  queue_.clear();
  for (std::size_t v = 0; v < task_.variables.size(); ++v) {
    const Variable& variable = task_.variables[v];
    if (variable.derived()) {
      state[v] = 1;
      continue;
    }
    queue_.push_back(variable.first_fact + state[v]);
    for (Id fact : negated_[v])
      if (task_.facts[fact].value != state[v]) queue_.push_back(fact);
  }
  for (const std::vector<Id>& layer : layers_) {
    derive(state);
    for (Id v : layer)
      if (state[v] == 1) queue_.push_back(task_.variables[v].first_fact + 1);
  }
  derive(state);
}

/// Fires every axiom whose body has come true.
void AxiomEvaluator::derive(Id* state) {
  while (!queue_.empty()) {
    const Id fact = queue_.back();
    queue_.pop_back();
    for (Id axiom : readers_[fact]) {
      if (--missing_[axiom] > 0) continue;
      const Id head = task_.axiom_heads[axiom];
      Id& value = state[task_.facts[head].variable];
      if (value == 0) continue;
      value = 0;
      queue_.push_back(head);
    }
  }
}

}  // namespace banditplan
