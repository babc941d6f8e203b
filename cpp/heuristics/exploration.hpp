#pragma once

#include <algorithm>
#include <cstdint>
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
  static void settle(std::uint64_t& waiting, Id cost) {
    waiting = static_cast<std::uint64_t>(cost) << 16 | ((waiting - 1) & 0xffff);
  }
};
struct Sum {
  static Id combine(Id so_far, Id cost) { return std::min(so_far + cost, kSaturated); }
  static void settle(std::uint64_t& waiting, Id cost) { waiting += (static_cast<std::uint64_t>(cost) << 16) - 1; }
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
    for (std::size_t op = 0; op < network.operators(); ++op) {
      if (network.preconditions[op].size() > kMostPreconditions)
        throw std::length_error("an action has more than 65535 preconditions");
      start_.push_back(network.preconditions[op].size());
    }
    is_ready_.resize(start_.size(), false);
    reached_.resize(network.facts);
    if (network.has_free_ways) steps_.resize(network.facts);
    is_goal_.assign(network.facts, false);
    for (Id fact : task.goal) is_goal_[fact] = true;
  }

  /// Explores until the costs and supporters of the goal are final, or, with `order`, until all is; `order` gets the
  /// operators as they fire.
  void run(const Id* state, std::vector<Id>* order = nullptr) {
    start_from(state);
    std::ranges::fill(reached_, key(kUnreached, -1));
    waiting_ = start_;
    queue_.clear();
    std::size_t goals_left = task_.goal.size();
    Id last_goal_cost = -1;
    for_each_true_fact(task_, network_, state, [&](Id fact) {
      reached_[fact] = key(0, -1);
      if (network_.has_free_ways) steps_[fact] = kTrue;
      if (is_goal_[fact]) {
        --goals_left;
        last_goal_cost = 0;
      }
    });
    for (Id op : network_.free) fire(op, 0, order);
    std::erase_if(ready_, [&](Id op) {
      if (start_[op] == 0) {
        fire(op, 0, order);
        return false;
      }
      is_ready_[op] = false;
      return true;
    });
    std::uint64_t* const waiting = waiting_.data();
    for (Id cost = queue_.peek(); cost != CostQueue::kEmpty; cost = queue_.peek()) {
      // Whatever costs less has been used; without free ways, supporters need facts that cost less.
      if (goals_left == 0 && !order && (!network_.has_free_ways || cost > last_goal_cost)) return;
      const Id fact = queue_.pop();
      if (this->cost(fact) < cost) continue;
      if (is_goal_[fact]) {
        --goals_left;
        last_goal_cost = cost;
      }
      for (Id op : network_.readers[fact]) {
        Combine::settle(waiting[op], cost);
        if ((waiting[op] & 0xffff) != 0) continue;
        const bool linked = network_.costs[op] == 0 && waiting[op] >> 16 == static_cast<std::uint64_t>(cost);
        fire(op, linked ? steps_[fact] + 1 : 0, order);
      }
    }
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

  void fire(Id op, Id step, std::vector<Id>* order) {
    if (order) order->push_back(op);
    const std::uint64_t sum = (waiting_[op] >> 16) + static_cast<std::uint64_t>(network_.costs[op]);
    const Id cost = static_cast<Id>(std::min<std::uint64_t>(sum, kSaturated));
    const std::uint64_t base = key(cost, 0);
    std::uint64_t* const reached = reached_.data();
    for (const RelaxedNetwork::Add& add : network_.adds[op])
      if ((base | static_cast<std::uint32_t>(add.way)) < reached[add.fact]) reach(add.fact, cost, step, add.way);
  }

  /// By a way that is better than what is known.
  void reach(Id fact, Id cost, Id step, Id way) {
    std::uint64_t& reached = reached_[fact];
    const std::uint64_t reaching = key(cost, way);
    if (reaching >> 32 == reached >> 32) {
      if (cost == kSaturated || (network_.has_free_ways && step != steps_[fact])) return;
    } else {
      if (network_.has_free_ways) steps_[fact] = step;
      queue_.push(cost, fact);
    }
    reached = reaching;
  }

  const Task& task_;
  const RelaxedNetwork& network_;
  std::vector<std::uint64_t> start_, waiting_;  // per operator
  std::vector<Id> settled_;                     // the state whose facts are settled in start_
  std::vector<Id> ready_;                       // operators that have all of their preconditions then, and others
  std::vector<char> is_ready_;                  // per operator: whether it is there
  std::vector<std::uint64_t> reached_;          // per fact: cost and supporter
  std::vector<Id> steps_;                       // per fact, where there are free ways
  std::vector<char> is_goal_;                   // per fact
  CostQueue queue_;
};

}  // namespace banditplan
