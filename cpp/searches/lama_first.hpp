#pragma once

#include "landmarks/landmarks_heuristic.hpp"
#include "searches/sentence.hpp"

namespace banditplan {

/// The first iteration of LAMA (Richter and Westphal 2010): a queue by hFF and one by landmarks take turns with the
/// same two for preferred children; states are made and evaluated when they are expanded.
struct LamaFirst : NamedSearch {
  SearchPointer sentence() const override {
    const OpenListPointer ff = greedy({std::make_shared<Ff>()}),
                          landmarks = greedy({std::make_shared<LandmarksHeuristic>()});
    return best_first(alternation({ff, preferred_only(ff), landmarks, preferred_only(landmarks)}, kBoost),
                      &BestFirst::lazy);
  }

 private:
  static constexpr std::int64_t kBoost = 1000;
};

}  // namespace banditplan
