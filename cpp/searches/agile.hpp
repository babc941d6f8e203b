#pragma once

#include "searches/best_first.hpp"

namespace banditplan {

/// The search for those who want a plan and have no wish about the search: a race of four kinds. The first one has four
/// opinions that take turns: a bilevel tree of bandits explores by hFF, and a queue goes by landmarks, both the newest
/// states first; two queues follow the recommendations of hFF; and its relaxed plans are tried. The second one looks at
/// what is new, and hardly at heuristics: first at that alone, which soon gives a plan, or nothing is left. The third
/// one is greedy and nothing else, hence fast. The fourth one is LAMA's. docs/results/agile.md says how they were
/// chosen.
struct Agile : NamedSearch {
  std::int64_t threads = 1;

  SearchPointer sentence() const override;
};

}  // namespace banditplan
