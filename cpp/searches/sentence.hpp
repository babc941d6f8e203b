#pragma once

#include "open_lists/alternation.hpp"
#include "open_lists/preferred_list.hpp"
#include "searches/best_first.hpp"

/// Sentences in C++, in the words of search texts.
namespace banditplan {

inline OpenListPointer greedy(std::vector<HeuristicPointer> heuristics, Ties ties = Ties::fifo) {
  GreedyList list;
  list.heuristics = std::move(heuristics);
  list.ties = ties;
  return std::make_shared<GreedyList>(list);
}

inline OpenListPointer preferred_only(OpenListPointer list) {
  PreferredList only;
  only.list = std::move(list);
  return std::make_shared<PreferredList>(only);
}

inline OpenListPointer alternation(std::vector<OpenListPointer> lists, std::int64_t boost) {
  Alternation turns;
  turns.lists = std::move(lists);
  turns.boost = boost;
  return std::make_shared<Alternation>(turns);
}

/// With a policy that is on: &BestFirst::deferred, for example.
inline SearchPointer best_first(OpenListPointer open, bool BestFirst::* policy = nullptr) {
  BestFirst search;
  search.open = std::move(open);
  if (policy) search.*policy = true;
  return std::make_shared<BestFirst>(search);
}

}  // namespace banditplan
