#pragma once

#include "searches/best_first.hpp"

namespace banditplan {

/// Several searches on one task: the first that finds a plan, or proves that there is none, decides. In one thread they
/// take turns, and every round does as much work as all before it, the nth search the nth part of what the first one
/// does: which search decides is the same on every machine. Several threads share the searches; then the faster one
/// decides. Nothing is shared but the task. Anytime searches take turns in one thread.
struct Race : Search {
  static constexpr std::int64_t kMostThreads = 256;

  std::vector<SearchPointer> searches{std::make_shared<BestFirst>()};
  std::int64_t threads = 1;

  std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const override;
};

}  // namespace banditplan
