#pragma once

#include "heuristics/ff.hpp"
#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The smallest value first (Doran and Michie 1966); where there are several heuristics, each decides among states that
/// are equal to those before it.
struct GreedyList : OpenList {
  std::vector<HeuristicPointer> heuristics{std::make_shared<Ff>()};
  Ties ties = Ties::fifo;

  void add_to(Columns& columns) const override {
    for (const HeuristicPointer& heuristic : heuristics) columns.add(heuristic);
  }
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
};

}  // namespace banditplan
