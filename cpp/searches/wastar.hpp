#pragma once

#include "heuristics/goal_count.hpp"
#include "heuristics/hmax.hpp"
#include "open_lists/weighted_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Weighted A* (Pohl 1970): a state with the smallest g + weight · h, the oldest one among equals; a state that is
/// reached on a cheaper path is opened again. The first goal that is generated ends the search.
struct WAStar : BestFirst {
  WAStar() { reopens = true; }
  double weight = 5;

  OpenLists open_lists() const override { return list_of(WeightedList(weight, false)); }
};

/// A* (Hart, Nilsson and Raphael 1968): the special case of weight 1 that ends when a goal is about to be expanded, and
/// hence with a cheapest plan if h never overestimates; among equals the smallest h first, which is nearer to a goal.
struct AStar : BestFirst {
  AStar() {
    HMax hmax;
    hmax.cost = cost = CostType::plan;
    heuristic = std::make_shared<HMax>(hmax);
    reopens = tests_goal_late = true;
  }

  OpenLists open_lists() const override { return list_of(WeightedList(1, true)); }
};

/// Dijkstra's algorithm (1959), uniform-cost search: A* without a heuristic.
struct Dijkstra : AStar {
  Dijkstra() { heuristic = std::make_shared<Blind>(); }
};

}  // namespace banditplan
