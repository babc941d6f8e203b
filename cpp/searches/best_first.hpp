#pragma once

#include <memory>

#include "heuristics/ff.hpp"
#include "open_lists/open_list.hpp"
#include "searches/search.hpp"
#include "task/action_cost.hpp"

namespace banditplan {

using OpenLists = std::vector<std::unique_ptr<OpenList>>;

/// Best-first search: expands the state that its open lists, in turn, name next. Each distinct state is evaluated once.
/// A search of this kind is its open lists and a few options.
struct BestFirst : Search {
  std::shared_ptr<const Heuristic> heuristic = std::make_shared<Ff>();
  bool preferred = false;          // successors by preferred operators wait in lists of their own, too
  bool deferred = false;           // evaluate a state when it is expanded; until then it has its parent's h
  CostType cost = CostType::unit;  // what g adds up
  bool reopens = false;            // expand a state again when a cheaper path to it is found
  bool tests_goal_late = false;    // when a state is expanded, not when it is generated

  /// Every state waits in each of them.
  virtual OpenLists open_lists() const = 0;

  /// Is told the states that are expanded.
  using Observer = std::function<void(const std::vector<Id>& state)>;
  SearchResult observe(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                       const Observer& observer) const;

 protected:
  void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
           SearchResult& result) const override;
};

/// One or several open lists.
template <class... Lists>
OpenLists list_of(Lists&&... lists) {
  OpenLists result;
  (result.push_back(std::make_unique<Lists>(std::move(lists))), ...);
  return result;
}

}  // namespace banditplan
