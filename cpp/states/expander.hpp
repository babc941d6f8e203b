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
        effects_(task, monitor),
        entered_(task, packer),
        loaded_(task, packer),
        words_(kAtOnce * packer.words()),
        hashes_(kAtOnce),
        changes_end_(kAtOnce) {}

  /// As long as it is visited.
  struct Successor {
    ActionId action;
    const std::vector<Id>& parent;  // the values of the expanded state
    PackedState packed;
    Expander* expander;     // none: the initial state, its own parent
    std::size_t place = 0;  // among those that were packed

    /// Computed when somebody asks: most often the state is known already.
    const std::vector<Id>& values() const { return expander ? expander->values_at(place) : parent; }
    /// The same, but all that is derived is false; not of the initial state.
    const std::vector<Id>& basic_values() const { return expander->basic_values_at(place); }
  };

  /// Calls `visit(successor)` for every applicable action, in ascending order; `visit` returns false to stop. It will
  /// look the successors up in `known`, which hears of a number of them before: memory is slow, but can fetch many
  /// things at once.
  template <class Visit>
  void expand(const std::uint32_t* state, const StateStore& known, Visit&& visit) {
    const std::span<const Id> actions = applicable(state);
    const std::uint64_t hash = packer_.hashed(state).hash;
    for (std::size_t first = 0; first < actions.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, actions.size() - first);
      forget_changes();
      for (std::size_t i = 0; i < count; ++i) known.fetch_slot(pack_successor(state, hash, actions[first + i], i));
      for (std::size_t i = 0; i < count; ++i) known.fetch_state(hashes_[i]);
      for (std::size_t i = 0; i < count; ++i) {
        monitor_.check_short();
        if (!visit(successor(actions[first + i], i))) return;
      }
    }
  }

  /// The applicable actions, ascending, until the next call or the next expansion.
  std::span<const Id> applicable(const std::uint32_t* state) {
    enter(state);
    if (!successors_) successors_ = SuccessorGenerator::of(task_, monitor_);
    return successors_->applicable(entered_.values.data(), scratch_);
  }

  /// Calls `visit(successor)` for an action that applies.
  template <class Visit>
  void step(const std::uint32_t* state, ActionId action, Visit&& visit) {
    enter(state);
    forget_changes();
    pack_successor(state, packer_.hashed(state).hash, static_cast<Id>(action), 0);
    visit(successor(static_cast<Id>(action), 0));
  }

  /// Whether it is a goal. Most states lack a fact of which that can be told without the values of all variables.
  bool reaches_goal(const Successor& successor) const {
    const auto lacks = [&](Id goal) {
      const auto& [variable, value, negated] = task_.facts[goal];
      return !task_.variables[variable].derived() &&
             (packer_.value(successor.packed.words, variable) == value) == negated;
    };
    return std::ranges::none_of(task_.goal, lacks) && holds(task_, task_.goal, successor.values().data());
  }

  /// Gives derived variables their values.
  void derive(Id* values) { axioms_.evaluate(values); }

  /// Gives all variables their values, derived ones too. The state before was similar, most probably.
  void load(const std::uint32_t* state, Id* values) {
    loaded_.enter(packer_, state);
    std::ranges::copy(loaded_.values, values);
    derive(values);
  }
  /// The same behind those that are there.
  void append(const std::uint32_t* state, std::vector<Id>& values) {
    values.resize(values.size() + task_.variables.size());
    load(state, values.data() + values.size() - task_.variables.size());
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
  struct Change {
    Id variable, value;
  };
  /// The values of a state, with what one action changes.
  struct Changed {
    static constexpr std::size_t kNowhere = SIZE_MAX;
    std::vector<Id> values;
    std::size_t at = kNowhere;  // the place of the successor that has these values
    bool is_made = false;       // for the state that is being expanded
  };

  /// The state is about to be expanded.
  void enter(const std::uint32_t* state) {
    entered_.enter(packer_, state);
    derive(entered_.values.data());
    effects_.begin(entered_.values.data());
    values_.is_made = basic_values_.is_made = false;
  }

  /// It differs from the state in what the action changes. Returns its hash.
  std::uint64_t pack_successor(const std::uint32_t* state, std::uint64_t hash, Id action, std::size_t place) {
    std::uint32_t* const words = words_.data() + place * packer_.words();
    std::copy_n(state, packer_.words(), words);
    effects_.for_each(action, [&](Id variable, Id value) {
      changes_.push_back({variable, value});
      hash += packer_.set(words, variable, value);
    });
    changes_end_[place] = changes_.size();
    return hashes_[place] = hash;
  }

  /// The one that was packed at the place.
  Successor successor(Id action, std::size_t place) {
    return {ActionId{action}, entered_.values, {words_.data() + place * packer_.words(), hashes_[place]}, this, place};
  }

  std::span<const Change> changes_at(std::size_t place) const {
    const std::size_t begin = place == 0 ? 0 : changes_end_[place - 1];
    return {changes_.data() + begin, changes_end_[place] - begin};
  }

  /// To be called before other successors are packed.
  void forget_changes() {
    take_back(values_);
    take_back(basic_values_);
    changes_.clear();
  }

  const std::vector<Id>& values_at(std::size_t place) {
    if (!values_.is_made) make(values_);
    if (values_.at != place) {
      change(values_, place);
      derive(values_.values.data());
    }
    return values_.values;
  }

  const std::vector<Id>& basic_values_at(std::size_t place) {
    if (!basic_values_.is_made) {
      make(basic_values_);
      for (std::size_t v = 0; v < entered_.values.size(); ++v)
        if (task_.variables[v].derived()) basic_values_.values[v] = 1;
    }
    change(basic_values_, place);
    return basic_values_.values;
  }

  void make(Changed& changed) {
    changed.values = entered_.values;
    changed.at = Changed::kNowhere;
    changed.is_made = true;
  }

  void change(Changed& changed, std::size_t place) {
    take_back(changed);
    for (const auto& [variable, value] : changes_at(place)) changed.values[variable] = value;
    changed.at = place;
  }

  void take_back(Changed& changed) {
    if (!changed.is_made || changed.at == Changed::kNowhere) return;
    for (const Change& each : changes_at(changed.at)) changed.values[each.variable] = entered_.values[each.variable];
    changed.at = Changed::kNowhere;
  }

  const Task& task_;
  const StatePacker& packer_;
  Monitor& monitor_;
  std::shared_ptr<const SuccessorGenerator> successors_;  // once a state has been expanded
  AxiomEvaluator axioms_;
  Changes effects_;  // of the state that is being expanded
  SuccessorGenerator::Scratch scratch_;
  Unpacked entered_;                   // the state that is being expanded
  Unpacked loaded_;                    // the one that was loaded last
  Changed values_, basic_values_;      // in the latter all that is derived is false
  std::vector<std::uint32_t> words_;   // of successors, one after the other
  std::vector<std::uint64_t> hashes_;  // theirs
  std::vector<Change> changes_;        // by which they differ from the state, one after the other
  std::vector<std::size_t> changes_end_;
};

}  // namespace banditplan
