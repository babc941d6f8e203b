#pragma once

#include <algorithm>

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// The heuristics of a search, each once however many ask for it: a row of values has a column for each. A heuristic
/// comes after those that it needs.
class Columns {
 public:
  /// Makes sure that there is a column for the heuristic, and says which.
  std::size_t add(const HeuristicPointer& heuristic) {
    for (const HeuristicPointer& need : heuristic->needs()) add(need);
    const std::size_t found = of(*heuristic);
    if (found == heuristics_.size()) heuristics_.push_back(heuristic);
    return found;
  }

  /// The column of a heuristic that was added.
  std::size_t of(const Heuristic& heuristic) const {
    const auto same = [&](const HeuristicPointer& known) { return known->same(heuristic); };
    return static_cast<std::size_t>(std::ranges::find_if(heuristics_, same) - heuristics_.begin());
  }

  const std::vector<HeuristicPointer>& heuristics() const { return heuristics_; }

 private:
  std::vector<HeuristicPointer> heuristics_;
};

}  // namespace banditplan
