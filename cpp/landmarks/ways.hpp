#pragma once

#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// What makes facts true if nothing makes them false: a *way* is an action with one of its effect conditions, or an
/// axiom. It adds its facts where all that it needs is true. The ways of an *owner*, an action or an axiom, stand next
/// to each other; actions come first.
struct Ways {
  explicit Ways(const Task& task);

  std::size_t size() const { return owners.size(); }

  Lists<Id> needs;                  // per way: the preconditions and the condition, ascending
  Lists<Id> adds;                   // per way: facts, negated ones included
  std::vector<Id> owners;           // per way; the axiom x is `actions` + x
  std::vector<std::size_t> starts;  // per owner: its first way; one more at the end
  Lists<Id> achievers;              // per fact: the ways that add it, ascending
  std::vector<char> conditional;    // per way: it has a condition of its own
};

/// Whether the fact is true after each application of the owner of the way, which adds it.
bool surely_adds(const Task& task, const Ways& ways, Id way, Id fact);

/// Whether the relaxation takes the fact for true everywhere: the negation of a derived fact, which no way adds.
inline bool is_granted(const Task& task, Id fact) {
  const Fact& f = task.facts[fact];
  return task.variables[f.variable].derived() && f.value == 1;
}

}  // namespace banditplan
