#pragma once

#include "open_lists/ordered_by.hpp"

namespace banditplan {

/// Which of several states with equal sums comes next: the oldest; or the one with the smallest h, then the oldest.
enum class SumTies { fifo, h };

/// The smallest g + weight · h first (Pohl 1970).
struct WeightedList : OrderedBy {
  double weight = 5;
  SumTies ties = SumTies::fifo;

  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_g() const override { return true; }
};

}  // namespace banditplan
