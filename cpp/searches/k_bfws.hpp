#pragma once

#include "heuristics/goal_count.hpp"
#include "novelty/novelty_heuristics.hpp"
#include "searches/sentence.hpp"

namespace banditplan {

/// BFWS(f5) (Lipovetzky and Geffner 2017): the newest states first, by goal count and by what was reached of relaxed
/// plans, of which it makes hardly any. If it prunes, states that are not new at all are left out: it visits few
/// states, and may end without a plan though there is one.
inline SearchPointer bfws_f5(std::int64_t width, bool prunes) {
  const auto goals = std::make_shared<GoalCount>();
  const auto novelty = std::make_shared<NoveltyHeuristic>();
  novelty->heuristics = {goals, std::make_shared<RelaxedPlanCountHeuristic>()};
  novelty->width = width;
  novelty->prunes = prunes;
  return best_first(greedy({novelty, goals}));
}

/// k-BFWS, of the same authors: BFWS(f5) that prunes.
struct KBfws : NamedSearch {
  std::int64_t width = 1;

  SearchPointer sentence() const override { return bfws_f5(width, true); }
};

}  // namespace banditplan
