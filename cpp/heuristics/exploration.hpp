#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "heuristics/cost_queue.hpp"
#include "heuristics/relaxed_network.hpp"

namespace banditplan {

constexpr Id kUnreached = 0x7fffffff;

/// What an operator waits for: the number of its preconditions that are missing, and what the others cost, in one
/// number. How costs are combined is the one difference between hmax and hadd; preconditions come in the order of
/// their costs.
struct Max {
  static Id combine(Id so_far, Id cost) { return std::max(so_far, cost); }
  static std::uint64_t settled(std::uint64_t waiting, Id cost) {
    return static_cast<std::uint64_t>(cost) << 16 | ((waiting - 1) & 0xffff);
  }
};
struct Sum {
  static Id combine(Id so_far, Id cost) { return std::min(so_far + cost, kSaturated); }
  static std::uint64_t settled(std::uint64_t waiting, Id cost) {
    return waiting + (static_cast<std::uint64_t>(cost) << 16) - 1;
  }
};

/// The costs of facts in the delete relaxation, by Dijkstra's algorithm, one state at a time; all features.
///
/// The supporter of a fact is the cheapest way to it, the smallest one among equals. A way that costs nothing may
/// reach a fact at the cost of its own precondition: `step` counts such links, and supporters are compared by (cost,
/// step, way), so that they never form a cycle.
template <class Combine>
class Exploration {
 public:
  Exploration(const Task& task, const RelaxedNetwork& network) : task_(task), network_(network) {
    const auto adds = network.adds.starts();
    start_.reserve(network.operators());
    firings_.reserve(network.operators());
    for (std::size_t op = 0; op < network.operators(); ++op) {
      if (network.preconditions[op].size() > kMostPreconditions)
        throw std::length_error("an action has more than 65535 preconditions");
      start_.push_back(network.preconditions[op].size());
      firings_.push_back({adds[op], adds[op + 1], static_cast<std::uint32_t>(network.costs[op])});
    }
    is_ready_.resize(start_.size(), false);
    std::size_t most = 0;
    for (std::size_t fact = 0; fact < network.facts; ++fact) most = std::max(most, network.readers[fact].size());
    complete_.resize(most);
    reached_.resize(network.facts);
    if (network.has_free_ways) steps_.resize(network.facts);
    is_goal_.assign(network.facts, false);
    for (Id fact : task.goal) is_goal_[fact] = true;
  }

  /// Explores until the costs and supporters of the goal are final, or, with `order`, until all is; `order` gets the
  /// operators as they fire.
  void run(const Id* state, std::vector<Id>* order = nullptr) {
    start_from(state);
    if (network_.has_free_ways)
      order ? explore<true, true>(state, order) : explore<true, false>(state, order);
    else
      order ? explore<false, true>(state, order) : explore<false, false>(state, order);
  }

  Id cost(Id fact) const { return static_cast<Id>(reached_[fact] >> 32); }
  /// -1: the fact was true.
  Id supporter(Id fact) const { return static_cast<Id>(static_cast<std::uint32_t>(reached_[fact])); }
  bool goal_reached() const {
    return std::ranges::all_of(task_.goal, [&](Id fact) { return cost(fact) != kUnreached; });
  }

 private:
  static constexpr std::size_t kMostPreconditions = 0xffff;
  static constexpr Id kTrue = -1;  // the step of a fact that needs no supporter, not even a free one

  /// An operator that has all of its preconditions, and what they cost together.
  struct Complete {
    std::uint64_t cost;
    std::uint32_t op;
  };
  /// What an operator adds when it fires, and what that costs.
  struct Firing {
    std::uint32_t first, last;  // of the network's adds
    std::uint32_t cost;
  };

  /// Cost and supporter in one number, so that the better one is the smaller one.
  static std::uint64_t key(Id cost, Id way) {
    return static_cast<std::uint64_t>(cost) << 32 | static_cast<std::uint32_t>(way);
  }

  /// Settles the facts of the state in the counters from which an exploration starts. Most of them were true in the
  /// last state, too.
  void start_from(const Id* state) {
    const std::size_t variables = task_.variables.size();
    if (settled_.empty()) {
      settled_.assign(state, state + variables);
      for_each_true_fact(task_, network_, state, [&](Id fact) { settle_true(fact); });
      return;
    }
    for (std::size_t v = 0; v < variables; ++v) {
      if (settled_[v] == state[v]) continue;
      for_each_true_fact_of(task_, network_, v, settled_[v], [&](Id fact) {
        for (Id op : network_.readers[fact]) ++start_[op];
      });
      for_each_true_fact_of(task_, network_, v, state[v], [&](Id fact) { settle_true(fact); });
      settled_[v] = state[v];
    }
  }

  void settle_true(Id fact) {
    for (Id op : network_.readers[fact])
      if (--start_[op] == 0 && !is_ready_[op]) {
        is_ready_[op] = true;
        ready_.push_back(op);
      }
  }

  /// `kFree`: there are free ways; `kAll`: to the end, with the order. The loops are the planner's innermost ones: what
  /// they need is written so that the compiler keeps it in registers.
  template <bool kFree, bool kAll>
  void explore(const Id* state, std::vector<Id>* order) {
    std::ranges::fill(reached_, key(kUnreached, -1));
    waiting_ = start_;
    queue_.clear();
    std::size_t goals_left = task_.goal.size();
    Id last_goal_cost = -1;
    for_each_true_fact(task_, network_, state, [&](Id fact) {
      reached_[fact] = key(0, -1);
      if (kFree) steps_[fact] = kTrue;
      if (is_goal_[fact]) {
        --goals_left;
        last_goal_cost = 0;
      }
    });
    for (Id op : network_.free) fire<kFree, kAll>({0, static_cast<std::uint32_t>(op)}, 0, order);
    std::erase_if(ready_, [&](Id op) {
      if (start_[op] == 0) {
        fire<kFree, kAll>({0, static_cast<std::uint32_t>(op)}, 0, order);
        return false;
      }
      is_ready_[op] = false;
      return true;
    });
    for (Id cost = queue_.peek(); cost != CostQueue::kEmpty; cost = queue_.peek()) {
      // Whatever costs less has been used; without free ways, supporters need facts that cost less.
      if (!kAll && goals_left == 0 && (!kFree || cost > last_goal_cost)) return;
      const Id fact = queue_.pop();
      if (this->cost(fact) < cost) continue;
      if (is_goal_[fact]) {
        --goals_left;
        last_goal_cost = cost;
      }
      for (const Complete& complete : settle(fact, cost)) {
        const bool linked =
            kFree && firings_[complete.op].cost == 0 && complete.cost == static_cast<std::uint64_t>(cost);
        fire<kFree, kAll>(complete, linked ? steps_[fact] + 1 : 0, order);
      }
    }
  }

  /// The operators that have all of their preconditions with this one; until the next call.
  std::span<const Complete> settle(Id fact, Id cost) {
    const std::span<const Id> readers = network_.readers[fact];
    std::uint64_t* const waiting = waiting_.data();
    Complete* end = complete_.data();
    for (const Id *reader = readers.data(), *last = reader + readers.size(); reader < last; ++reader) {
      const auto op = static_cast<std::uint32_t>(*reader);
      const std::uint64_t left = Combine::settled(waiting[op], cost);
      waiting[op] = left;
      if ((left & 0xffff) == 0) *end++ = {left >> 16, op};
    }
    return {complete_.data(), end};
  }

  template <bool kFree, bool kAll>
  void fire(const Complete& complete, Id step, std::vector<Id>* order) {
    if (kAll) order->push_back(static_cast<Id>(complete.op));
    const Firing& firing = firings_[complete.op];
    const Id cost = static_cast<Id>(std::min<std::uint64_t>(complete.cost + firing.cost, kSaturated));
    const std::uint64_t base = key(cost, 0);
    std::uint64_t* const reached = reached_.data();
    const RelaxedNetwork::Add* const adds = network_.adds.items().data();
    for (const RelaxedNetwork::Add *add = adds + firing.first, *last = adds + firing.last; add < last; ++add)
      if ((base | static_cast<std::uint32_t>(add->way)) < reached[static_cast<std::uint32_t>(add->fact)])
        reach<kFree>(add->fact, cost, step, add->way);
  }

  /// By a way that is better than what is known.
  template <bool kFree>
  void reach(Id fact, Id cost, Id step, Id way) {
    std::uint64_t& reached = reached_[fact];
    const std::uint64_t reaching = key(cost, way);
    if (reaching >> 32 == reached >> 32) {
      if (cost == kSaturated || (kFree && step != steps_[fact])) return;
    } else {
      if (kFree) steps_[fact] = step;
      queue_.push(cost, fact);
    }
    reached = reaching;
  }

  const Task& task_;
  const RelaxedNetwork& network_;
  std::vector<Firing> firings_;                 // per operator
  std::vector<std::uint64_t> start_, waiting_;  // per operator
  std::vector<Id> settled_;                     // the state whose facts are settled in start_
  std::vector<Id> ready_;                       // operators that have all of their preconditions then, and others
  std::vector<char> is_ready_;                  // per operator: whether it is there
  std::vector<std::uint64_t> reached_;          // per fact: cost and supporter
  std::vector<Id> steps_;                       // per fact, where there are free ways
  std::vector<char> is_goal_;                   // per fact
  std::vector<Complete> complete_;              // by the fact that was settled last; room for all readers of one
  CostQueue queue_;
};

}  // namespace banditplan
