#pragma once

#include "task/task.hpp"

namespace banditplan {

/// Which facts are never true together.
class Mutexes {
 public:
  explicit Mutexes(const Task& task)
      : task_(task), groups_(Lists<Id>::inverse(task.mutexes, task.facts.size(), [](Id fact) { return fact; })) {}

  /// Calls `visit(other)`, perhaps more than once, for every fact that is not true where `fact` is.
  template <class Visit>
  void for_each(Id fact, Visit&& visit) const {
    const Fact& f = task_.facts[fact];
    const Variable& variable = task_.variables[f.variable];
    if (f.negated) {
      visit(variable.first_fact + f.value);
      return;
    }
    for (Id value = 0; value < variable.values; ++value)
      if (value != f.value) visit(variable.first_fact + value);
    for (Id group : groups_[fact])
      for (Id other : task_.mutexes[group])
        if (other != fact) visit(other);
  }

 private:
  const Task& task_;
  Lists<Id> groups_;  // per fact
};

}  // namespace banditplan
