#include "task/task.hpp"

namespace banditplan {

namespace {

std::string name(std::span<const Id> ids, const std::vector<std::string>& heads,
                 const std::vector<std::string>& objects) {
  std::string text = heads[ids[0]];
  for (Id object : ids.subspan(1)) text += ' ' + objects[object];
  return text;
}

}  // namespace

std::string Task::action_name(Id action) const { return name(action_names[action], schemas, objects); }

std::string Task::fact_name(Id fact) const {
  const Fact& f = facts[fact];
  const Variable& variable = variables[f.variable];
  if (f.negated) return "not (" + name(fact_names[variable.first_fact + f.value], predicates, objects) + ")";
  if (!fact_names[fact].empty()) return "(" + name(fact_names[fact], predicates, objects) + ")";
  if (variable.values == 2) return "not (" + name(fact_names[variable.first_fact], predicates, objects) + ")";
  return "none of those";
}

Lists<Id> negated_facts(const Task& task) {
  return Lists<Id>::group(task.variables.size(), [&](auto&& visit) {
    for (Id fact = task.negated_facts_begin; fact < static_cast<Id>(task.facts.size()); ++fact)
      visit(task.facts[fact].variable, fact);
  });
}

}  // namespace banditplan
