#pragma once

#include <vector>

#include "plans/work.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Which variables decide what an action does, and what a plan does. All of them are basic: for a derived variable
/// stand those from which its axioms compute it.
class Needs {
 public:
  Needs(const Task& task, Work& work) : task_(task), work_(work), bases_(task.variables.size()) {}

  /// The variables that decide whether the action can be applied, and which of its effects come about. With
  /// repetitions.
  const std::vector<Id>& read(Id action);

  /// The variables that decide whether the goal holds.
  std::vector<char> goal();
  /// `needed`, per variable: those which decide that the rest of a plan can be applied and leads to the goal. Any state
  /// in which they have the same values will do as well. Puts an action before that rest.
  void put_before(Id action, std::vector<char>& needed);

 private:
  void add(std::span<const Id> facts, std::vector<Id>& variables);
  const std::vector<Id>& basis(Id derived);

  const Task& task_;
  Work& work_;
  std::vector<std::vector<Id>> bases_;   // per derived variable; empty: not known yet
  std::vector<std::vector<Id>> axioms_;  // per derived variable; empty: not known yet
  std::vector<Id> read_;
};

}  // namespace banditplan
