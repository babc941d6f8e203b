#pragma once

#include "open_lists/greedy_list.hpp"

namespace banditplan {

/// An open list for the children that recommended actions lead to, and no others (Richter and Helmert 2009).
struct PreferredList : OpenList {
  OpenListPointer list = std::make_shared<GreedyList>();

  void add_to(Columns& columns) const override { list->add_to(columns); }
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_g() const override { return list->uses_g(); }
  bool uses_preferred() const override { return true; }
  bool complete(bool) const override { return false; }
  bool has_tree() const override { return list->has_tree(); }
  bool moves_subtrees() const override { return list->moves_subtrees(); }
};

}  // namespace banditplan
