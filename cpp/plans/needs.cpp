#include "plans/needs.hpp"

#include <algorithm>

namespace banditplan {

const std::vector<Id>& Needs::read(Id action) {
  read_.clear();
  add(task_.preconditions[action], read_);
  for (const Effect& effect : task_.effects[action]) add(task_.conditions[effect.condition], read_);
  return read_;
}

std::vector<char> Needs::goal() {
  read_.clear();
  add(task_.goal, read_);
  std::vector<char> needed(task_.variables.size(), false);
  for (Id variable : read_) needed[variable] = true;
  return needed;
}

void Needs::put_before(Id action, std::vector<char>& needed) {
  read_.clear();
  add(task_.preconditions[action], read_);
  const auto effects = task_.effects[action];
  for (const Effect& effect : effects)
    if (needed[task_.facts[effect.fact].variable]) add(task_.conditions[effect.condition], read_);
  // What is set in any case does not matter before; what may be set and may be left alone does.
  for (const Effect& effect : effects)
    if (effect.condition == 0) needed[task_.facts[effect.fact].variable] = false;
  for (Id variable : read_) needed[variable] = true;
  work_.spend(static_cast<std::int64_t>(read_.size() + effects.size()));
}

void Needs::add(std::span<const Id> facts, std::vector<Id>& variables) {
  for (Id fact : facts) {
    const Id variable = task_.facts[fact].variable;
    if (!task_.variables[variable].derived()) {
      variables.push_back(variable);
      continue;
    }
    const std::vector<Id>& more = basis(variable);
    variables.insert(variables.end(), more.begin(), more.end());
  }
}

const std::vector<Id>& Needs::basis(Id derived) {
  if (!bases_[derived].empty()) return bases_[derived];
  if (axioms_.empty()) {
    axioms_.resize(task_.variables.size());
    for (std::size_t i = 0; i < task_.axioms(); ++i)
      axioms_[task_.facts[task_.axiom_heads[i]].variable].push_back(static_cast<Id>(i));
  }
  std::vector<char> seen(task_.variables.size(), false);
  std::vector<Id> found, open{derived};
  seen[derived] = true;
  while (!open.empty()) {
    const Id variable = open.back();
    open.pop_back();
    for (Id axiom : axioms_[variable]) {
      work_.spend(static_cast<std::int64_t>(task_.axiom_bodies[axiom].size()) + 1);
      for (Id fact : task_.axiom_bodies[axiom]) {
        const Id next = task_.facts[fact].variable;
        if (seen[next]) continue;
        seen[next] = true;
        (task_.variables[next].derived() ? open : found).push_back(next);
      }
    }
  }
  std::ranges::sort(found);
  return bases_[derived] = std::move(found);
}

}  // namespace banditplan
