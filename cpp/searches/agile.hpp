#pragma once

#include "bandits/ucb1_uniform.hpp"
#include "open_lists/tree_list.hpp"
#include "searches/k_bfws.hpp"
#include "searches/lama_first.hpp"
#include "searches/race.hpp"

namespace banditplan {

/// The search for those who want a plan and have no wish about the search: a race of three. The first one has four
/// opinions that take turns: a bilevel tree of bandits explores by hFF, and a queue goes by landmarks, both the newest
/// states first; two queues follow the recommendations of hFF; and its relaxed plans are tried. The second one is
/// narrow: soon it has a plan, or nothing left. The third one is LAMA's. docs/results/agile.md says how they were
/// chosen.
struct Agile : NamedSearch {
  std::int64_t threads = 1;

  SearchPointer sentence() const override {
    Race race;
    race.searches = {opinions(), std::make_shared<KBfws>(), std::make_shared<LamaFirst>()};
    race.threads = threads;
    return std::make_shared<Race>(race);
  }

 private:
  static constexpr std::int64_t kBoost = 10;

  static SearchPointer opinions() {
    const auto ff = std::make_shared<Ff>();
    const auto landmarks = std::make_shared<LandmarksHeuristic>();
    const auto novelty = std::make_shared<NoveltyHeuristic>();
    novelty->heuristics = {landmarks, ff};
    const auto tree = std::make_shared<TreeList>();
    tree->heuristics = {novelty, ff};
    tree->bandit = std::make_shared<Ucb1Uniform>();
    tree->bilevel = true;
    BestFirst search;
    search.open = alternation(
        {tree, preferred_only(greedy({ff})), greedy({novelty, landmarks, ff}), preferred_only(greedy({landmarks}))},
        kBoost);
    search.follow = true;
    return std::make_shared<BestFirst>(search);
  }
};

}  // namespace banditplan
