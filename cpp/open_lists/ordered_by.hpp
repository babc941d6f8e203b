#pragma once

#include "heuristics/ff.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// A recipe for an open list that orders states by one heuristic.
struct OrderedBy : OpenList {
  HeuristicPointer heuristic = std::make_shared<Ff>();

  void add_to(Columns& columns) const override { columns.add(heuristic); }
};

}  // namespace banditplan
