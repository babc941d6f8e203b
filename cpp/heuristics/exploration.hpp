#pragma once

#include <algorithm>
#include <vector>

#include "heuristics/cost_queue.hpp"
#include "heuristics/relaxed_network.hpp"

namespace banditplan {

/// Sums stop growing here; a cost this large still means "reached".
constexpr Id kSaturated = (1 << 30) - 1;
constexpr Id kUnreached = 0x7fffffff;

/// How the costs of an operator's preconditions are combined: the one difference between hmax and hadd.
struct Max {
  static Id combine(Id so_far, Id cost) { return std::max(so_far, cost); }
};
struct Sum {
  static Id combine(Id so_far, Id cost) { return std::min(so_far + cost, kSaturated); }
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
    for (std::size_t op = 0; op < network.operators(); ++op)
      start_.push_back({static_cast<Id>(network.preconditions[op].size()), 0});
    waiting_.resize(start_.size());
    reached_.resize(network.facts);
    watched_.assign(network.facts, false);
    is_goal_.assign(network.facts, false);
    for (std::size_t fact = 0; fact < network.facts; ++fact) watched_[fact] = !network.readers[fact].empty();
    for (Id fact : task.goal) watched_[fact] = is_goal_[fact] = true;
  }

  /// Explores until the costs and supporters of the goal are final, or, with `order`, until all is; `order` gets the
  /// operators as they fire.
  void run(const Id* state, std::vector<Id>* order = nullptr) {
    std::ranges::fill(reached_, Reached{});
    waiting_ = start_;
    queue_.clear();
    for_each_true_fact(task_, network_, state, [&](Id fact) { reach(fact, 0, 0, -1); });
    for (Id op : network_.free) fire(op, 0, order);
    std::size_t goals_left = task_.goal.size();
    Id last_goal_cost = -1;
    for (Id cost = queue_.peek(); cost != CostQueue::kEmpty; cost = queue_.peek()) {
      // Whatever costs less has been used; without free ways, supporters need facts that cost less.
      if (goals_left == 0 && !order && (!network_.has_free_ways || cost > last_goal_cost)) return;
      const Id fact = queue_.pop();
      if (reached_[fact].cost < cost) continue;
      if (is_goal_[fact]) {
        --goals_left;
        last_goal_cost = cost;
      }
      for (Id op : network_.readers[fact]) {
        Waiting& waiting = waiting_[op];
        waiting.cost = Combine::combine(waiting.cost, cost);
        if (--waiting.missing == 0)
          fire(op, network_.costs[op] == 0 && waiting.cost == cost ? reached_[fact].step + 1 : 0, order);
      }
    }
  }

  Id cost(Id fact) const { return reached_[fact].cost; }
  /// -1: the fact was true.
  Id supporter(Id fact) const { return reached_[fact].supporter; }
  bool goal_reached() const {
    return std::ranges::all_of(task_.goal, [&](Id fact) { return cost(fact) != kUnreached; });
  }

 private:
  struct Waiting {
    Id missing = 0;
    Id cost = 0;
  };
  struct Reached {
    Id cost = kUnreached;
    Id step = 0;
    Id supporter = -1;
  };

  void fire(Id op, Id step, std::vector<Id>* order) {
    if (order) order->push_back(op);
    const Id cost = std::min(waiting_[op].cost + network_.costs[op], kSaturated);
    for (const RelaxedNetwork::Add& add : network_.adds[op]) reach(add.fact, cost, step, add.way);
  }

  void reach(Id fact, Id cost, Id step, Id way) {
    Reached& reached = reached_[fact];
    if (cost < reached.cost) {
      reached = {cost, step, way};
      if (watched_[fact]) queue_.push(cost, fact);
    } else if (cost == reached.cost && step == reached.step && way < reached.supporter && cost < kSaturated) {
      reached.supporter = way;
    }
  }

  const Task& task_;
  const RelaxedNetwork& network_;
  std::vector<Waiting> start_, waiting_;  // per operator
  std::vector<Reached> reached_;          // per fact
  std::vector<char> watched_, is_goal_;   // per fact
  CostQueue queue_;
};

}  // namespace banditplan
