#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "task/task.hpp"

namespace banditplan {

/// Calls `visit(variable, value)` for every effect of the action in the state, in their order: the last one counts.
template <class Visit>
void for_each_change(const Task& task, Id action, const Id* state, Visit&& visit) {
  for (const Effect& effect : task.effects[action]) {
    if (effect.condition != 0 && !holds(task, task.conditions[effect.condition], state)) continue;
    const Fact& fact = task.facts[effect.fact];
    visit(fact.variable, fact.value);
  }
}

/// The variables that an action may change, each once; derived ones aside.
struct ChangedVariables {
  ChangedVariables(const Task& task, Monitor& monitor);
  /// The one that is shared by all who use the task.
  static std::shared_ptr<const ChangedVariables> of(const Task& task, Monitor& monitor);

  Lists<Id> by_action;
};

/// The effects of actions that have many with conditions, by their conditions.
struct EffectIndex {
  EffectIndex(const Task& task, Monitor& monitor);
  /// The one that is shared by all who use the task.
  static std::shared_ptr<const EffectIndex> of(const Task& task, Monitor& monitor);

  /// Some of 64 conditions in a row.
  struct Block {
    std::uint32_t number = 0;  // of the block: the conditions from 64 times that on
    std::uint32_t first = 0;   // their lists in `effects`, one after the other, begin there
    std::uint64_t conditions = 0;
  };
  Lists<Block> blocks;      // per action; none: it has few of them
  Lists<Id> effects;        // per condition of a block: the numbers of effects
  std::vector<Fact> first;  // per condition: its first fact, or one that is always true
};

/// What many actions change in one state after the other. A condition is looked at once per state, however many actions
/// have it.
class Changes {
 public:
  /// Task and monitor must live as long as this.
  Changes(const Task& task, Monitor& monitor)
      : task_(task), monitor_(monitor), known_((task.conditions.size() + 63) / 64) {}

  /// The values of the state must stay where they are until the next one.
  void begin(const Id* state) {
    state_ = state;
    if (now_++ == 0 && task_.conditions.size() > 1) index_ = EffectIndex::of(task_, monitor_);
  }
  /// As for_each_change.
  template <class Visit>
  void for_each(Id action, Visit&& visit) {
    const std::span<const Effect> effects = task_.effects[action];
    const auto visit_effect = [&](const Effect& effect) {
      const Fact& fact = task_.facts[effect.fact];
      visit(fact.variable, fact.value);
    };
    if (index_ && !index_->blocks[action].empty()) {
      for (Id number : held_effects(action)) visit_effect(effects[number]);
      return;
    }
    for (const Effect& effect : effects)
      if (effect.condition == 0 || holds_now(effect.condition)) visit_effect(effect);
  }

 private:
  /// What is known of 64 conditions in a row.
  struct Known {
    std::uint64_t state = 0;  // when it was `now_`
    std::uint64_t looked_at = 0, held = 0;
  };

  bool holds_now(Id condition) {
    const std::uint64_t bit = std::uint64_t{1} << (condition % 64);
    return held(static_cast<std::size_t>(condition / 64), bit) != 0;
  }

  /// Of the conditions of a block, those that hold.
  std::uint64_t held(std::size_t block, std::uint64_t conditions) {
    Known& known = known_[block];
    if (known.state != now_) known = {now_, 0, 0};
    std::uint64_t begun = 0;  // those that begin with what is true: mostly few, and found without branches
    const Fact* const first = index_->first.data() + 64 * block;
    for (std::uint64_t rest = conditions & ~known.looked_at; rest != 0; rest &= rest - 1) {
      const auto& [variable, value, negated] = first[std::countr_zero(rest)];
      begun |= (rest & (~rest + 1)) * static_cast<std::uint64_t>((state_[variable] == value) != negated);
    }
    for (; begun != 0; begun &= begun - 1) {
      const std::size_t condition = 64 * block + static_cast<std::size_t>(std::countr_zero(begun));
      if (holds(task_, task_.conditions[condition], state_)) known.held |= begun & (~begun + 1);  // its bit
    }
    known.looked_at |= conditions;
    return known.held & conditions;
  }

  /// In their order, until the next call.
  std::span<const Id> held_effects(Id action) {
    numbers_.clear();
    for (const EffectIndex::Block& block : index_->blocks[action])
      for (std::uint64_t rest = held(block.number, block.conditions); rest != 0; rest &= rest - 1) {
        const std::uint64_t before = block.conditions & ~(~std::uint64_t{0} << std::countr_zero(rest));
        const auto effects = index_->effects[block.first + static_cast<std::size_t>(std::popcount(before))];
        numbers_.insert(numbers_.end(), effects.begin(), effects.end());
      }
    std::ranges::sort(numbers_);
    return numbers_;
  }

  const Task& task_;
  Monitor& monitor_;
  std::shared_ptr<const EffectIndex> index_;  // once there was a state, if there are conditions
  const Id* state_ = nullptr;
  std::uint64_t now_ = 0;     // so many states
  std::vector<Known> known_;  // per block
  std::vector<Id> numbers_;
};

}  // namespace banditplan
