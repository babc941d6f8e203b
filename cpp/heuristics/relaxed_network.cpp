#include "heuristics/relaxed_network.hpp"

#include <algorithm>

namespace banditplan {

RelaxedNetwork::RelaxedNetwork(const Task& task) : facts(task.facts.size()) {
  std::vector<std::vector<Id>> negated_of(task.variables.size());
  for (std::size_t f = task.negated_facts_begin; f < facts; ++f)
    negated_of[task.facts[f].variable].push_back(static_cast<Id>(f));
  for (const std::vector<Id>& list : negated_of) negated.append(list);
  for (const Variable& variable : task.variables)
    if (variable.derived()) always.push_back(variable.first_fact + 1);

  std::vector<Effect> sorted;
  for (std::size_t a = 0; a < task.actions(); ++a) {
    // Effects with equal conditions share an operator.
    sorted.assign(task.effects[a].begin(), task.effects[a].end());
    auto condition = [&](const Effect& effect) { return task.conditions[effect.condition]; };
    std::ranges::stable_sort(sorted, [&](const Effect& x, const Effect& y) {
      return std::ranges::lexicographical_compare(condition(x), condition(y));
    });
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      while (end < sorted.size() && std::ranges::equal(condition(sorted[begin]), condition(sorted[end]))) ++end;
      add_operator(task, static_cast<Id>(a), condition(sorted[begin]), {sorted.data() + begin, end - begin});
    }
  }
  for (std::size_t x = 0; x < task.axioms(); ++x) {
    owner.push_back(-1);
    preconditions.append(task.axiom_bodies[x]);
    adds.add(task.axiom_heads[x]);
    adds.close();
  }
  readers = Lists<Id>::inverse(preconditions, facts, [](Id fact) { return fact; });
  for (std::size_t op = 0; op < operators(); ++op)
    if (preconditions[op].empty()) free.push_back(static_cast<Id>(op));
}

void RelaxedNetwork::add_operator(const Task& task, Id action, std::span<const Id> condition,
                                  std::span<const Effect> effects) {
  owner.push_back(action);
  std::vector<Id> all(task.preconditions[action].begin(), task.preconditions[action].end());
  all.insert(all.end(), condition.begin(), condition.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  preconditions.append(all);
  for (const Effect& effect : effects) add_fact_and_negations(task, effect.fact);
  adds.close();
}

/// Setting a variable also makes true that it has none of the other values.
void RelaxedNetwork::add_fact_and_negations(const Task& task, Id fact) {
  adds.add(fact);
  const Fact& f = task.facts[fact];
  for (Id other : negated[f.variable])
    if (task.facts[other].value != f.value) adds.add(other);
}

}  // namespace banditplan
