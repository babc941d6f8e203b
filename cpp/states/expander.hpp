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
        axioms_(task, monitor),
        changes_(task, monitor),
        entered_(task, packer),
        loaded_(task, packer),
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
    successors_->applicable(entered_.values.data(), stack_, actions_);
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

  /// Gives derived variables their values.
  void derive(Id* values) { axioms_.evaluate(values); }

  /// Gives all variables their values, derived ones too. The state before was similar, most probably.
  void load(const std::uint32_t* state, Id* values) {
    loaded_.enter(packer_, state);
    std::ranges::copy(loaded_.values, values);
    derive(values);
  }

 private:
  static constexpr std::size_t kAtOnce = 32;  // successors that are packed before the first of them is visited

  /// A state and the values of its variables, at first all 0; derived ones are left alone.
  struct Unpacked {
    Unpacked(const Task& task, const StatePacker& packer) : words(packer.words()), values(task.variables.size()) {}
    void enter(const StatePacker& packer, const std::uint32_t* state) {
      packer.unpack_changes(state, words.data(), values.data());
    }
    std::vector<std::uint32_t> words;
    std::vector<Id> values;
  };
  /// The values of a state, with what one action changes.
  struct Changed {
    static constexpr Id kNothing = -1;
    std::vector<Id> values;
    Id by = kNothing;
    bool is_made = false;  // for the state that is being expanded
  };

  /// The state is about to be expanded.
  void enter(const std::uint32_t* state) {
    entered_.enter(packer_, state);
    derive(entered_.values.data());
    changes_.begin(entered_.values.data());
    values_.is_made = basic_values_.is_made = false;
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
    return {ActionId{action}, entered_.values, {words_.data() + place * packer_.words(), hashes_[place]}, this};
  }

  const std::vector<Id>& values_after(Id action) {
    if (!values_.is_made) make(values_);
    if (values_.by != action) {
      change(values_, action);
      derive(values_.values.data());
    }
    return values_.values;
  }

  const std::vector<Id>& basic_values_after(Id action) {
    if (!basic_values_.is_made) {
      make(basic_values_);
      for (std::size_t v = 0; v < entered_.values.size(); ++v)
        if (task_.variables[v].derived()) basic_values_.values[v] = 1;
    }
    change(basic_values_, action);
    return basic_values_.values;
  }

  void make(Changed& changed) {
    changed.values = entered_.values;
    changed.by = Changed::kNothing;
    changed.is_made = true;
  }

  /// Takes back what the action before has changed.
  void change(Changed& changed, Id action) {
    if (changed.by != Changed::kNothing)
      changes_.for_each(changed.by, [&](Id variable, Id) { changed.values[variable] = entered_.values[variable]; });
    changes_.for_each(action, [&](Id variable, Id value) { changed.values[variable] = value; });
    changed.by = action;
  }

  const Task& task_;
  const StatePacker& packer_;
  Monitor& monitor_;
  std::shared_ptr<const SuccessorGenerator> successors_;  // once a state has been expanded
  AxiomEvaluator axioms_;
  Changes changes_;  // of the state that is being expanded
  SuccessorGenerator::Stack stack_;
  Unpacked entered_;  // the state that is being expanded
  Unpacked loaded_;   // the one that was loaded last
  std::vector<Id> actions_;
  Changed values_, basic_values_;      // in the latter all that is derived is false
  std::vector<std::uint32_t> words_;   // of successors, one after the other
  std::vector<std::uint64_t> hashes_;  // theirs
};

}  // namespace banditplan
