#pragma once

#include "open_lists/greedy_list.hpp"

namespace banditplan {

/// Open lists that take turns: every state waits in all of them; the list that has had the fewest turns is next, the
/// first one among equals. When a heuristic finds a smaller value than ever, lists for preferred children get `boost`
/// turns in advance (Röger and Helmert 2010; Richter and Helmert 2009).
struct Alternation : OpenList {
  std::vector<OpenListPointer> lists{std::make_shared<GreedyList>()};
  std::int64_t boost = 0;

  void add_to(Columns& columns) const override {
    for (const OpenListPointer& list : lists) list->add_to(columns);
  }
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_g() const override { return any(&OpenList::uses_g); }
  bool uses_preferred() const override { return any(&OpenList::uses_preferred); }
  bool complete(bool follows) const override {
    return std::ranges::any_of(lists, [&](const OpenListPointer& list) { return list->complete(follows); });
  }
  bool has_tree() const override { return any(&OpenList::has_tree); }
  bool moves_subtrees() const override {
    return std::ranges::all_of(lists, [](const OpenListPointer& list) { return list->moves_subtrees(); });
  }

 private:
  bool any(bool (OpenList::*property)() const) const {
    return std::ranges::any_of(lists, [&](const OpenListPointer& list) { return (*list.*property)(); });
  }
};

}  // namespace banditplan
