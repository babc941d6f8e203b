#pragma once

#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// Computes the derived variables of a state, stratum by stratum.
class AxiomEvaluator {
 public:
  explicit AxiomEvaluator(const Task& task);

  bool empty() const { return task_.axioms() == 0; }
  /// Overwrites the derived variables of `state`.
  void evaluate(Id* state);

 private:
  void derive(Id* state);

  const Task& task_;
  Lists<Id> readers_;                    // per fact: the axioms whose body has it
  std::vector<std::vector<Id>> layers_;  // per stratum: its variables
  Lists<Id> negated_;                    // per variable: its negated facts
  std::vector<Id> body_sizes_;
  std::vector<Id> missing_, queue_;
};

}  // namespace banditplan
