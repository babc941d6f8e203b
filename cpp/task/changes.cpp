#include "task/changes.hpp"

#include <utility>

namespace banditplan {

namespace {

constexpr std::ptrdiff_t kMany = 16;  // fewer are looked at one after the other

}  // namespace

ChangedVariables::ChangedVariables(const Task& task, Monitor& monitor) {
  by_action.reserve(task.actions(), task.conditions.size() > 1 ? 0 : task.effects.total());
  std::vector<std::size_t> listed_for(task.variables.size(), task.actions());
  for (std::size_t a = 0; a < task.actions(); ++a) {
    monitor.check_short();
    for (const Effect& effect : task.effects[a]) {
      const Id variable = task.facts[effect.fact].variable;
      if (std::exchange(listed_for[variable], a) != a) by_action.add(variable);
    }
    by_action.close();
  }
}

std::shared_ptr<const ChangedVariables> ChangedVariables::of(const Task& task, Monitor& monitor) {
  return task.shared.get<ChangedVariables>(0, monitor, [&] { return ChangedVariables(task, monitor); });
}

EffectIndex::EffectIndex(const Task& task, Monitor& monitor) {
  first.reserve(task.conditions.size());
  for (std::size_t condition = 0; condition < task.conditions.size(); ++condition) {
    const std::span<const Id> facts = task.conditions[condition];
    first.push_back(facts.empty() ? Fact{.variable = 0, .value = -1, .negated = true} : task.facts[facts[0]]);
  }
  std::vector<Id> numbers;
  for (std::size_t a = 0; a < task.actions(); ++a) {
    monitor.check_short();
    const std::span<const Effect> of_action = task.effects[a];
    const auto condition = [&](Id number) { return of_action[number].condition; };
    numbers.clear();
    if (std::ranges::count_if(of_action, [](const Effect& effect) { return effect.condition != 0; }) >= kMany)
      for (std::size_t i = 0; i < of_action.size(); ++i) numbers.push_back(static_cast<Id>(i));
    std::ranges::stable_sort(numbers, {}, condition);
    Block block;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Id mine = condition(numbers[i]);
      if (const auto number = static_cast<std::uint32_t>(mine / 64); block.conditions == 0 || block.number != number) {
        if (block.conditions != 0) blocks.add(block);
        block = {number, static_cast<std::uint32_t>(effects.size()), 0};
      }
      block.conditions |= std::uint64_t{1} << (mine % 64);
      effects.add(numbers[i]);
      if (i + 1 == numbers.size() || condition(numbers[i + 1]) != mine) effects.close();
    }
    if (block.conditions != 0) blocks.add(block);
    blocks.close();
  }
}

std::shared_ptr<const EffectIndex> EffectIndex::of(const Task& task, Monitor& monitor) {
  return task.shared.get<EffectIndex>(0, monitor, [&] { return EffectIndex(task, monitor); });
}

}  // namespace banditplan
