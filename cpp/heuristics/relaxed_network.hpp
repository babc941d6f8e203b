#pragma once

#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// The delete relaxation of a task as operators that wait for facts and add facts. An operator is one action with
/// one of its effect conditions, or an axiom (which costs nothing); operators are numbered by action, axioms last.
struct RelaxedNetwork {
  explicit RelaxedNetwork(const Task& task);

  std::size_t operators() const { return owner.size(); }
  bool is_axiom(Id op) const { return owner[op] < 0; }

  std::size_t facts = 0;
  std::vector<Id> owner;    // per operator: its action, or -1 for an axiom
  Lists<Id> preconditions;  // per operator: facts
  Lists<Id> adds;           // per operator: facts
  Lists<Id> readers;        // per fact: the operators that wait for it
  std::vector<Id> always;   // facts that the relaxation grants: negations of derived facts
  std::vector<Id> free;     // operators without preconditions
  Lists<Id> negated;        // per variable: its negated facts

 private:
  void add_operator(const Task& task, Id action, std::span<const Id> condition, std::span<const Effect> effects);
  void add_fact_and_negations(const Task& task, Id fact);
};

}  // namespace banditplan
