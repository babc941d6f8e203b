#pragma once

#include "open_lists/greedy_list.hpp"
#include "searches/search.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

/// When a known state takes another path, because that is cheaper, or as cheap: then it waits for its expansion once
/// more, or, in a tree, moves with its subtree.
enum class Reopen { never, cheaper, as_cheap };

/// When a state is tested for the goal.
enum class GoalTest { generated, expanded };

/// Best-first search: expands the state that its open list names next; the open list is told what became of it. Each
/// distinct state is evaluated once. All searches are sentences of this form.
struct BestFirst : Search {
  OpenListPointer open = std::make_shared<GreedyList>();
  bool deferred = false;  // evaluate a state when it is expanded; until then it has its parent's values
  bool lazy = false;      // the same, and not even the state is there before; not where there is a tree
  Reopen reopen = Reopen::never;
  CostType cost = CostType::unit;  // what g adds up
  GoalTest goal = GoalTest::generated;
  bool follow = false;  // relaxed plans of expanded states, as far as they go, while that helps; not if deferred

  bool defers() const { return deferred || lazy; }
  std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const override;
};

/// A short name for a sentence.
struct NamedSearch : Search {
  virtual SearchPointer sentence() const = 0;

  std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const override {
    return sentence()->begin(request, wanted);
  }
};

}  // namespace banditplan
