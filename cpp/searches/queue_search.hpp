#pragma once

#include "searches/sentence.hpp"

namespace banditplan {

/// What the agile searches with queues have in common.
struct QueueSearch : NamedSearch {
  HeuristicPointer heuristic = std::make_shared<Ff>();
  bool preferred = false;  // successors by recommended actions wait in lists of their own, too
  bool deferred = false;

  SearchPointer sentence() const override {
    return best_first(with_preferred(lists()), deferred ? &BestFirst::deferred : nullptr);
  }

 protected:
  /// Every state waits in each of them.
  virtual std::vector<OpenListPointer> lists() const = 0;

  template <class List>
  OpenListPointer of(List list) const {
    list.heuristic = heuristic;
    return std::make_shared<List>(list);
  }

  OpenListPointer with_preferred(std::vector<OpenListPointer> all) const {
    if (all.size() == 1 && !preferred) return all[0];
    std::vector<OpenListPointer> turns = all;
    if (preferred)
      for (const OpenListPointer& list : all) turns.push_back(preferred_only(list));
    return alternation(turns, preferred ? kBoost : 0);
  }

 private:
  static constexpr std::int64_t kBoost = 1000;
};

}  // namespace banditplan
