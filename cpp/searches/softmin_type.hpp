#pragma once

#include "open_lists/greedy_list.hpp"
#include "open_lists/softmin_list.hpp"
#include "searches/best_first.hpp"

namespace banditplan {

/// Softmin-Type(h) (Kuroiwa and Beck 2022): greedy best-first search in turn with draws that favour small h.
struct SoftminType : BestFirst {
  double temperature = 1;

  OpenLists open_lists() const override { return list_of(GreedyList(), SoftminList(temperature)); }
};

}  // namespace banditplan
