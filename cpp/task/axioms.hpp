#pragma once

#include <memory>
#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// The axioms of a task, arranged for their evaluation.
struct AxiomRules {
  AxiomRules(const Task& task, Monitor& monitor);

  std::vector<Id> basic;             // the variables that are not derived
  std::vector<Id> derived;           // the others
  std::size_t layers = 0;            // strata
  std::vector<Id> layers_of_axioms;  // per axiom: the stratum of its head
  std::vector<Id> heads;             // per axiom: a variable
  std::vector<Id> body_sizes;        // per axiom
  Lists<Id> readers;                 // per fact: the axioms whose body has it
  Lists<Id> negated;                 // per variable: its negated facts
  std::vector<char> recursive;       // per variable: whether axioms of its stratum may lead from it to itself
};

/// Computes the derived variables of states, stratum by stratum, from their values in the state before: what does not
/// change costs nothing. It counts what is missing in the body of every axiom, and the axioms that fire for every
/// variable. A recursive variable may owe its truth to itself alone: when one of its axioms stops firing, it becomes
/// false for the moment, and true again if an axiom is left then.
class AxiomEvaluator {
 public:
  AxiomEvaluator(const Task& task, Monitor& monitor);

  bool empty() const { return task_.axioms() == 0; }
  /// Overwrites the derived variables of `state`.
  void evaluate(Id* state);

 private:
  void begin();
  void change(Id variable, Id value);
  void settle(std::size_t layer);
  void make_false(Id variable);
  void make_true(Id variable);
  void gain(Id fact);
  void lose(Id fact);

  const Task& task_;
  std::shared_ptr<const AxiomRules> rules_;
  std::vector<Id> values_;   // of all variables, in the last state
  std::vector<Id> missing_;  // per axiom: the facts of its body that are false
  std::vector<Id> firing_;   // per variable: the axioms that derive it
  // Per stratum: axioms that have started or stopped firing since it was settled. One may be in both.
  std::vector<std::vector<Id>> started_, stopped_;
  std::vector<Id> removed_, added_;  // variables of the stratum that is being settled
  std::vector<char> is_removed_;     // per variable
};

}  // namespace banditplan
