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
  std::vector<std::vector<Id>> by_variable(task.variables.size());
  for (std::size_t f = task.negated_facts_begin; f < task.facts.size(); ++f)
    by_variable[task.facts[f].variable].push_back(static_cast<Id>(f));
  Lists<Id> result;
  for (const std::vector<Id>& facts : by_variable) result.append(facts);
  return result;
}

}  // namespace banditplan
