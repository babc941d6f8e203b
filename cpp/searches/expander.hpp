#pragma once

#include <vector>

#include "searches/state_store.hpp"
#include "task/successors.hpp"

namespace banditplan {

/// Generates the successors of stored states.
class Expander {
 public:
  explicit Expander(const Task& task)
      : successors_(task), applier_(task), axioms_(task), state_(task.variables.size()), successor_(state_.size()) {}

  /// Calls `visit(action, successor)` for every applicable action, in ascending order; `visit` returns false to stop.
  template <class Visit>
  void expand(const StateStore& states, Id state, Visit&& visit) {
    states.load(state, state_.data());
    axioms_.evaluate(state_.data());
    actions_.clear();
    successors_.applicable(state_.data(), actions_);
    for (Id action : actions_) {
      applier_.apply(action, state_.data(), successor_.data());
      if (!visit(action, successor_)) return;
    }
  }

 private:
  SuccessorGenerator successors_;
  Applier applier_;
  AxiomEvaluator axioms_;
  std::vector<Id> state_, actions_, successor_;
};

}  // namespace banditplan
