#pragma once

#include "open_lists/tree_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// What happens when an expansion reaches a known state by a path that is not longer (or shorter, or whatever).
enum class Graft { paper, strict, never };

/// Forward search with a tree as its open list (Wissow and Asai 2024; Schulte and Keller 2014).
struct Guct : NamedSearch {
  HeuristicPointer heuristic = std::make_shared<Ff>();
  std::shared_ptr<const Bandit> bandit = std::make_shared<Ucb1>();
  std::shared_ptr<const Backup> backup = std::make_shared<MonteCarlo>();
  bool preferred = false;  // select among children reached by recommended actions, where there are any
  bool deferred = false;
  Graft graft = Graft::paper;

  SearchPointer sentence() const override {
    TreeList tree;
    tree.heuristics = {heuristic};
    tree.bandit = bandit;
    tree.backup = backup;
    tree.preferred = preferred;
    BestFirst search;
    search.open = std::make_shared<TreeList>(tree);
    search.deferred = deferred;
    search.reopen = graft == Graft::never ? Reopen::never : graft == Graft::strict ? Reopen::cheaper : Reopen::as_cheap;
    return std::make_shared<BestFirst>(search);
  }
};

}  // namespace banditplan
