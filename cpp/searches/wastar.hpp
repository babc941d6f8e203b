#pragma once

#include "heuristics/goal_count.hpp"
#include "heuristics/hmax.hpp"
#include "open_lists/weighted_list.hpp"
#include "searches/queue_search.hpp"

namespace banditplan {

/// Weighted A* (Pohl 1970): a state with the smallest g + weight · h, the oldest one among equals; a state that is
/// reached on a cheaper path is opened again. The first goal that is generated ends the search.
struct WAStar : QueueSearch {
  double weight = 5;
  CostType cost = CostType::unit;

  SearchPointer sentence() const override {
    BestFirst search;
    search.open = with_preferred(lists());
    search.deferred = deferred;
    search.reopen = Reopen::cheaper;
    search.cost = cost;
    return std::make_shared<BestFirst>(search);
  }

 protected:
  std::vector<OpenListPointer> lists() const override {
    WeightedList list;
    list.weight = weight;
    return {of(list)};
  }
};

/// A* (Hart, Nilsson and Raphael 1968): the special case of weight 1 that ends when a goal is about to be expanded, and
/// hence with a cheapest plan if h never overestimates; among equals the smallest h first, which is nearer to a goal.
struct AStar : NamedSearch {
  HeuristicPointer heuristic = hmax();
  CostType cost = CostType::plan;

  SearchPointer sentence() const override {
    WeightedList list;
    list.heuristic = heuristic;
    list.weight = 1;
    list.ties = SumTies::h;
    BestFirst search;
    search.open = std::make_shared<WeightedList>(list);
    search.reopen = Reopen::cheaper;
    search.cost = cost;
    search.goal = GoalTest::expanded;
    return std::make_shared<BestFirst>(search);
  }

 private:
  static HeuristicPointer hmax() {
    HMax hmax;
    hmax.cost = CostType::plan;
    return std::make_shared<HMax>(hmax);
  }
};

/// Dijkstra's algorithm (1959), uniform-cost search: A* without a heuristic.
struct Dijkstra : AStar {
  Dijkstra() { heuristic = std::make_shared<Blind>(); }
};

}  // namespace banditplan
