#pragma once

#include <algorithm>
#include <vector>

#include "states/state_store.hpp"
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
        applier_(task, monitor),
        changes_(task, monitor),
        state_(task.variables.size()),
        values_(state_.size()),
        words_(kAtOnce * packer.words()),
        hashes_(kAtOnce) {}

  /// As long as it is visited.
  struct Successor {
    ActionId action;
    const std::vector<Id>& parent;  // the values of the expanded state
    PackedState packed;
    Expander* expander;  // none: the initial state, its own parent

    /// Computed when somebody asks: most often the state is known already.
    const std::vector<Id>& values() const {
      return expander ? expander->values_after(static_cast<Id>(action)) : parent;
    }
    /// The same, but all that is derived is false; not of the initial state.
    const std::vector<Id>& basic_values() const { return expander->basic_values_after(static_cast<Id>(action)); }
  };

  /// Calls `visit(successor)` for every applicable action, in ascending order; `visit` returns false to stop. It will
  /// look the successors up in `known`, which hears of a number of them before: memory is slow, but can fetch many
  /// things at once.
  template <class Visit>
  void expand(const std::uint32_t* state, const StateStore& known, Visit&& visit) {
    enter(state);
    actions_.clear();
    if (!successors_) successors_ = SuccessorGenerator::of(task_, monitor_);
    successors_->applicable(state_.data(), stack_, actions_);
    const std::uint64_t hash = packer_.hashed(state).hash;
    for (std::size_t first = 0; first < actions_.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, actions_.size() - first);
      for (std::size_t i = 0; i < count; ++i) known.fetch_slot(pack_successor(state, hash, actions_[first + i], i));
      for (std::size_t i = 0; i < count; ++i) known.fetch_state(hashes_[i]);
      for (std::size_t i = 0; i < count; ++i) {
        monitor_.check_short();
        if (!visit(successor(actions_[first + i], i))) return;
      }
    }
  }

  /// Calls `visit(successor)` for an action that applies.
  template <class Visit>
  void step(const std::uint32_t* state, ActionId action, Visit&& visit) {
    enter(state);
    pack_successor(state, packer_.hashed(state).hash, static_cast<Id>(action), 0);
    visit(successor(static_cast<Id>(action), 0));
  }

  /// From the values of all variables to theirs after the action, which applies.
  void apply(ActionId action, const Id* from, Id* to) { applier_.apply(static_cast<Id>(action), from, to); }

  /// Gives all variables their values, derived ones too.
  void load(const std::uint32_t* state, Id* values) {
    packer_.unpack(state, values);
    applier_.derive(values);
  }

 private:
  static constexpr std::size_t kAtOnce = 32;  // successors that are packed before the first of them is visited

  /// The state is about to be expanded.
  void enter(const std::uint32_t* state) {
    load(state, state_.data());
    changes_.begin(state_.data());
    is_basic_ = false;
  }

  /// It differs from the state in what the action changes. Returns its hash.
  std::uint64_t pack_successor(const std::uint32_t* state, std::uint64_t hash, Id action, std::size_t place) {
    std::uint32_t* const words = words_.data() + place * packer_.words();
    std::copy_n(state, packer_.words(), words);
    changes_.for_each(action, [&](Id variable, Id value) { hash += packer_.set(words, variable, value); });
    return hashes_[place] = hash;
  }

  /// The one that was packed at the place.
  Successor successor(Id action, std::size_t place) {
    is_applied_ = false;
    return {ActionId{action}, state_, {words_.data() + place * packer_.words(), hashes_[place]}, this};
  }

  const std::vector<Id>& values_after(Id action) {
    if (!is_applied_) {
      values_ = state_;
      changes_.for_each(action, [&](Id variable, Id value) { values_[variable] = value; });
      applier_.derive(values_.data());
    }
    is_applied_ = true;
    return values_;
  }

  const std::vector<Id>& basic_values_after(Id action) {
    if (!is_basic_) {
      basic_state_ = state_;
      for (std::size_t v = 0; v < state_.size(); ++v)
        if (task_.variables[v].derived()) basic_state_[v] = 1;
    }
    is_basic_ = true;
    basic_values_ = basic_state_;
    changes_.for_each(action, [&](Id variable, Id value) { basic_values_[variable] = value; });
    return basic_values_;
  }

  const Task& task_;
  const StatePacker& packer_;
  Monitor& monitor_;
  std::shared_ptr<const SuccessorGenerator> successors_;  // once a state has been expanded
  Applier applier_;
  Changes changes_;  // of `state_`
  SuccessorGenerator::Stack stack_;
  std::vector<Id> state_, actions_, values_;
  std::vector<std::uint32_t> words_;            // of successors, one after the other
  std::vector<std::uint64_t> hashes_;           // theirs
  bool is_applied_ = false;                     // whether the values of the one that is visited have been computed
  std::vector<Id> basic_state_, basic_values_;  // where all that is derived is false
  bool is_basic_ = false;                       // whether `basic_state_` is that of `state_`
};

}  // namespace banditplan
