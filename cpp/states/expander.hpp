#pragma once

#include <algorithm>
#include <vector>

#include "states/packer.hpp"
#include "task/successors.hpp"

namespace banditplan {

/// Generates the successors of packed states.
class Expander {
 public:
  /// Packer and monitor must live as long as the expander.
  Expander(const Task& task, const StatePacker& packer, Monitor& monitor)
      : task_(task),
        packer_(packer),
        monitor_(monitor),
        successors_(SuccessorGenerator::of(task, monitor)),
        applier_(task, monitor),
        state_(task.variables.size()),
        values_(state_.size()),
        words_(packer.words()) {}

  /// As long as it is visited.
  struct Successor {
    ActionId action;
    const std::vector<Id>& values;
    const std::vector<Id>& parent;  // the values of the expanded state
    PackedState packed;
  };

  /// Calls `visit(successor)` for every applicable action, in ascending order; `visit` returns false to stop.
  template <class Visit>
  void expand(const std::uint32_t* state, Visit&& visit) {
    load(state, state_.data());
    actions_.clear();
    successors_->applicable(state_.data(), stack_, actions_);
    for (Id action : actions_) {
      monitor_.check_short();
      applier_.apply(action, state_.data(), values_.data());
      pack_successor(state, action);
      if (!visit(Successor{ActionId{action}, values_, state_, packer_.hashed(words_.data())})) return;
    }
  }

  /// Gives all variables their values, derived ones too.
  void load(const std::uint32_t* state, Id* values) {
    packer_.unpack(state, values);
    applier_.derive(values);
  }

 private:
  /// It differs from the state in what the action may change.
  void pack_successor(const std::uint32_t* state, Id action) {
    std::copy_n(state, words_.size(), words_.data());
    for (const Effect& effect : task_.effects[action]) {
      const Id variable = task_.facts[effect.fact].variable;
      packer_.set(words_.data(), variable, values_[variable]);
    }
  }

  const Task& task_;
  const StatePacker& packer_;
  Monitor& monitor_;
  std::shared_ptr<const SuccessorGenerator> successors_;
  Applier applier_;
  SuccessorGenerator::Stack stack_;
  std::vector<Id> state_, actions_, values_;
  std::vector<std::uint32_t> words_;  // of the successor
};

}  // namespace banditplan
