#pragma once

#include <memory>

#include "heuristics/ff.hpp"
#include "searches/search.hpp"

namespace banditplan {

/// Greedy best-first search: expands a state with the smallest h, the oldest one first among equals; each distinct
/// state is evaluated once; a successor is tested for the goal before it is evaluated.
struct Gbfs : Search {
  std::shared_ptr<const Heuristic> heuristic = std::make_shared<Ff>();

 protected:
  void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
           SearchResult& result) const override;
};

}  // namespace banditplan
