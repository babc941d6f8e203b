#pragma once

#include "bandits/ucb1_uniform.hpp"
#include "landmarks/landmarks_heuristic.hpp"
#include "novelty/novelty_heuristics.hpp"
#include "open_lists/alternation.hpp"
#include "open_lists/preferred_list.hpp"
#include "open_lists/tree_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// The search for those who want a plan and have no wish about the search: four opinions that take turns. A bilevel
/// tree of bandits explores by hFF, and a queue goes by landmarks, both the newest states first; two queues follow the
/// recommendations of hFF. docs/results/agile.md says how it was chosen.
struct Agile : NamedSearch {
  BestFirst sentence() const override {
    const auto ff = std::make_shared<Ff>();
    const auto landmarks = std::make_shared<LandmarksHeuristic>();
    const auto novelty = std::make_shared<NoveltyHeuristic>();
    novelty->heuristics = {landmarks, ff};
    TreeList tree;
    tree.heuristics = {novelty, ff};
    tree.bandit = std::make_shared<Ucb1Uniform>();
    tree.bilevel = true;
    Alternation turns;
    turns.lists = {std::make_shared<TreeList>(tree), preferred(ff), greedy({novelty, landmarks, ff}),
                   preferred(landmarks)};
    turns.boost = 10;
    BestFirst search;
    search.open = std::make_shared<Alternation>(turns);
    return search;
  }

 private:
  static OpenListPointer greedy(std::vector<HeuristicPointer> heuristics) {
    GreedyList list;
    list.heuristics = std::move(heuristics);
    return std::make_shared<GreedyList>(list);
  }
  static OpenListPointer preferred(HeuristicPointer heuristic) {
    PreferredList list;
    list.list = greedy({std::move(heuristic)});
    return std::make_shared<PreferredList>(list);
  }
};

}  // namespace banditplan
