#include "plans/eliminate.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "states/state_store.hpp"
#include "task/axioms.hpp"

namespace banditplan {

namespace {

class Eliminator {
 public:
  Eliminator(const Task& task, std::vector<Id>& plan, Work& work, Monitor& monitor)
      : task_(task), plan_(plan), work_(work), monitor_(monitor), axioms_(task, monitor) {}

  void run() {
    remove_cycles();
    const auto length = static_cast<std::int64_t>(plan_.size());
    if (length * length > work_.left() / 4) remove_in_order();
    while (remove_what_can_be()) {
    }
  }

 private:
  /// Goes back wherever the plan comes to a state again.
  void remove_cycles() {
    const StatePacker packer(task_);
    StateStore store(packer);
    std::vector<std::size_t> places;  // per state of the store: how many actions lead to it, or kNowhere
    std::vector<StoredId> path;
    std::vector<Id> left;
    state_ = task_.initial_state;
    const auto arrive = [&] {
      const std::vector<std::uint32_t> packed = packer.packed(state_.data());
      const StoredId id = store.insert(packer.hashed(packed.data())).id;
      if (index(id) == places.size()) places.push_back(kNowhere);
      if (places[index(id)] == kNowhere) {
        places[index(id)] = path.size();
        path.push_back(id);
        return;
      }
      for (; path.back() != id; path.pop_back()) places[index(path.back())] = kNowhere;
      left.resize(path.size() - 1);
    };
    arrive();
    for (Id action : plan_) {
      monitor_.check_short();
      work_.spend(static_cast<std::int64_t>(state_.size()));
      step(action, state_);
      left.push_back(action);
      arrive();
    }
    plan_ = std::move(left);
  }

  /// Actions that can be taken out of the plan together: `first`, and those that cannot be applied without it.
  struct Redundant {
    std::size_t first;
    std::int64_t cost;
    std::size_t size;
  };

  /// For plans that are so long that a round would take most of the work: every set goes as soon as it is found, so
  /// that the plan is shorter for the next one.
  void remove_in_order() {
    std::vector<Id> before = task_.initial_state;
    for (std::size_t i = 0; i < plan_.size();) {
      if (without(i, before)) {
        for (std::size_t k = removed_.size(); k-- > 0;)
          plan_.erase(plan_.begin() + static_cast<std::ptrdiff_t>(removed_[k]));
      } else {
        step(plan_[i++], before);
      }
    }
  }

  /// Looks once at every action; false if none is redundant.
  bool remove_what_can_be() {
    std::vector<Redundant> found;
    std::vector<Id> before = task_.initial_state;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (without(i, before)) found.push_back({i, cost_of(removed_), removed_.size()});
      step(plan_[i], before);
    }
    std::ranges::stable_sort(found, [](const Redundant& a, const Redundant& b) {
      return a.cost != b.cost ? a.cost > b.cost : a.size > b.size;
    });
    // What goes first changes what can follow it: each set is computed anew, in the plan that is left.
    std::vector<std::size_t> places(plan_.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    for (const Redundant& redundant : found) {
      const auto place = std::ranges::lower_bound(places, redundant.first);
      if (place == places.end() || *place != redundant.first) continue;
      const auto first = static_cast<std::size_t>(place - places.begin());
      if (without(first, state_before(first))) remove(places);
    }
    return !found.empty();
  }

  /// Whether the goal is reached without action `first` and those that cannot be applied then; they are `removed_`.
  bool without(std::size_t first, const std::vector<Id>& before) {
    state_ = before;
    removed_.assign(1, first);
    for (std::size_t i = first + 1; i < plan_.size(); ++i) {
      monitor_.check_short();
      work_.spend(axioms_.empty() ? 2 : static_cast<std::int64_t>(state_.size()));
      if (holds(task_, task_.preconditions[plan_[i]], state_.data()))
        step(plan_[i], state_);
      else
        removed_.push_back(i);
    }
    return holds(task_, task_.goal, state_.data());
  }

  /// Takes `removed_` out of the plan and of the list beside it.
  void remove(std::vector<std::size_t>& beside) {
    for (std::size_t i = removed_.size(); i-- > 0;) {
      plan_.erase(plan_.begin() + static_cast<std::ptrdiff_t>(removed_[i]));
      beside.erase(beside.begin() + static_cast<std::ptrdiff_t>(removed_[i]));
    }
  }

  const std::vector<Id>& state_before(std::size_t place) {
    before_ = task_.initial_state;
    for (std::size_t i = 0; i < place; ++i) step(plan_[i], before_);
    return before_;
  }

  /// Applies an action in place.
  void step(Id action, std::vector<Id>& state) {
    changes_.clear();
    for (const Effect& effect : task_.effects[action])
      if (effect.condition == 0 || holds(task_, task_.conditions[effect.condition], state.data()))
        changes_.push_back(effect.fact);
    for (Id fact : changes_) state[task_.facts[fact].variable] = task_.facts[fact].value;
    axioms_.evaluate(state.data());
  }

  std::int64_t cost_of(const std::vector<std::size_t>& places) const {
    std::int64_t cost = 0;
    for (std::size_t place : places) cost += task_.costs[plan_[place]];
    return cost;
  }

  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  const Task& task_;
  std::vector<Id>& plan_;
  Work& work_;
  Monitor& monitor_;
  AxiomEvaluator axioms_;
  std::vector<std::size_t> removed_;
  std::vector<Id> state_, before_, changes_;
};

}  // namespace

void eliminate(const Task& task, std::vector<Id>& plan, Work& work, Monitor& monitor) {
  Eliminator(task, plan, work, monitor).run();
}

}  // namespace banditplan
