#pragma once

#include "heuristics/goal_count.hpp"
#include "novelty/novelty_heuristics.hpp"
#include "searches/sentence.hpp"

namespace banditplan {

/// k-BFWS (Lipovetzky and Geffner 2017): the newest states first, by goal count and by what was reached of relaxed
/// plans, and none that is not new at all. It visits few states, needs hardly any relaxed plans, and may end without a
/// plan though there is one.
struct KBfws : NamedSearch {
  std::int64_t width = 1;

  SearchPointer sentence() const override {
    const auto goals = std::make_shared<GoalCount>();
    const auto novelty = std::make_shared<NoveltyHeuristic>();
    novelty->heuristics = {goals, std::make_shared<RelaxedPlanCountHeuristic>()};
    novelty->width = width;
    novelty->prunes = true;
    return best_first(greedy({novelty, goals}));
  }
};

}  // namespace banditplan
