#include "states/batches.hpp"

#include <algorithm>

#include "random.hpp"
#include "task/successors.hpp"

namespace banditplan {

namespace {

/// Adds states to transitions.
class Walker {
 public:
  Walker(const Task& task, Monitor& monitor)
      : monitor_(monitor),
        width_(task.variables.size()),
        successors_(SuccessorGenerator::of(task, monitor)),
        applier_(task, monitor) {}

  std::span<const Id> applicable(const Id* state) { return successors_->applicable(state, scratch_); }

  /// `state` may be one of the transitions.
  void step(const Id* state, Id action, Id parent, Transitions& to) {
    monitor_.check_short();
    state_.assign(state, state + width_);
    to.values.resize(to.values.size() + width_);
    applier_.apply(action, state_.data(), to.values.data() + to.values.size() - width_);
    to.actions.push_back(action);
    to.parents.push_back(parent);
  }

 private:
  Monitor& monitor_;
  std::size_t width_;
  std::shared_ptr<const SuccessorGenerator> successors_;
  Applier applier_;
  SuccessorGenerator::Scratch scratch_;
  std::vector<Id> state_;
};

}  // namespace

Transitions successors(const Task& task, std::span<const Id> states, std::size_t count, Monitor& monitor) {
  Transitions result;
  Walker walker(task, monitor);
  const std::size_t width = task.variables.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Id* state = states.data() + i * width;
    for (Id action : walker.applicable(state)) walker.step(state, action, static_cast<Id>(i), result);
  }
  return result;
}

std::ptrdiff_t apply_each(const Task& task, std::span<const Id> states, std::span<const Id> actions,
                          std::span<Id> results, Monitor& monitor) {
  Applier applier(task, monitor);
  const std::size_t width = task.variables.size();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    monitor.check_short();
    const Id* state = states.data() + i * width;
    if (!holds(task, task.preconditions[actions[i]], state)) return static_cast<std::ptrdiff_t>(i);
    applier.apply(actions[i], state, results.data() + i * width);
  }
  return -1;
}

Transitions random_walks(const Task& task, const std::vector<Id>& start, std::size_t walks, std::size_t steps,
                         std::uint64_t seed, Monitor& monitor) {
  Transitions result;
  Walker walker(task, monitor);
  Random random(seed);
  for (std::size_t walk = 0; walk < walks; ++walk) {
    result.values.insert(result.values.end(), start.begin(), start.end());
    result.actions.push_back(-1);
    result.parents.push_back(-1);
    for (std::size_t step = 0; step < steps; ++step) {
      const Id* state = result.values.data() + result.values.size() - start.size();
      const std::span<const Id> actions = walker.applicable(state);
      if (actions.empty()) break;
      const Id action = actions[random.below(static_cast<std::uint32_t>(actions.size()))];
      walker.step(state, action, static_cast<Id>(result.actions.size()) - 1, result);
    }
  }
  return result;
}

}  // namespace banditplan
