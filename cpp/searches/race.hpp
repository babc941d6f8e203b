#pragma once

#include "searches/best_first.hpp"

namespace banditplan {

/// Several searches on one task: the first that finds a plan, or proves that there is none, decides. In one thread they
/// take turns: a round adds a quarter to the work that the first search has done, and the nth search does the nth part
/// of that, so which search decides is the same on every machine, unless time or memory run out. Several threads share
/// the searches; then the faster one decides. Nothing is shared but the task. Anytime searches take turns in one
/// thread.
struct Race : Search {
  static constexpr std::int64_t kMostThreads = 256;

  std::vector<SearchPointer> searches{std::make_shared<BestFirst>()};
  std::int64_t threads = 1;

  std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const override;
};

}  // namespace banditplan
