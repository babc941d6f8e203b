#pragma once

#include "open_lists/alternation.hpp"
#include "open_lists/preferred_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// What the agile searches with queues have in common.
struct QueueSearch : NamedSearch {
  HeuristicPointer heuristic = std::make_shared<Ff>();
  bool preferred = false;  // successors by recommended actions wait in lists of their own, too
  bool deferred = false;

  BestFirst sentence() const override {
    BestFirst search;
    search.open = with_preferred(lists());
    search.deferred = deferred;
    return search;
  }

 protected:
  /// Every state waits in each of them.
  virtual std::vector<OpenListPointer> lists() const = 0;

  template <class List>
  OpenListPointer of(List list) const {
    list.heuristic = heuristic;
    return std::make_shared<List>(list);
  }
  OpenListPointer greedy(Ties ties = Ties::fifo) const {
    GreedyList list;
    list.heuristics = {heuristic};
    list.ties = ties;
    return std::make_shared<GreedyList>(list);
  }

 private:
  static constexpr std::int64_t kBoost = 1000;

  OpenListPointer with_preferred(std::vector<OpenListPointer> all) const {
    if (all.size() == 1 && !preferred) return all[0];
    Alternation alternation;
    alternation.lists = all;
    if (preferred) {
      alternation.boost = kBoost;
      for (const OpenListPointer& list : all) {
        PreferredList only;
        only.list = list;
        alternation.lists.push_back(std::make_shared<PreferredList>(only));
      }
    }
    return std::make_shared<Alternation>(alternation);
  }
};

}  // namespace banditplan
