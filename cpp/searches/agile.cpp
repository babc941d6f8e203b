#include "searches/agile.hpp"

#include "bandits/ucb1_uniform.hpp"
#include "open_lists/tree_list.hpp"
#include "searches/k_bfws.hpp"
#include "searches/lama_first.hpp"
#include "searches/race.hpp"
#include "searches/series.hpp"

namespace banditplan {

namespace {

constexpr std::int64_t kBoost = 10;

SearchPointer following(OpenListPointer open) { return best_first(std::move(open), &BestFirst::follow); }

SearchPointer opinions() {
  const auto ff = std::make_shared<Ff>();
  const auto landmarks = std::make_shared<LandmarksHeuristic>();
  const auto novelty = std::make_shared<NoveltyHeuristic>();
  novelty->heuristics = {landmarks, ff};
  const auto tree = std::make_shared<TreeList>();
  tree->heuristics = {novelty, ff};
  tree->bandit = std::make_shared<Ucb1Uniform>();
  tree->bilevel = true;
  return following(alternation(
      {tree, preferred_only(greedy({ff})), greedy({novelty, landmarks, ff}), preferred_only(greedy({landmarks}))},
      kBoost));
}

SearchPointer widths() {
  Series series;
  series.searches = {std::make_shared<KBfws>(), bfws_f5(2, false)};
  return std::make_shared<Series>(series);
}

}  // namespace

SearchPointer Agile::sentence() const {
  Race race;
  race.searches = {opinions(), following(greedy({std::make_shared<Ff>()})), widths(), std::make_shared<LamaFirst>()};
  race.threads = threads;
  return std::make_shared<Race>(race);
}

}  // namespace banditplan
