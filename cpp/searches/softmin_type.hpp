#pragma once

#include "open_lists/softmin_list.hpp"
#include "searches/queue_search.hpp"

namespace banditplan {

/// Softmin-Type(h) (Kuroiwa and Beck 2022): greedy best-first search in turn with draws that favour small h.
struct SoftminType : QueueSearch {
  double temperature = 1;

 protected:
  std::vector<OpenListPointer> lists() const override {
    SoftminList softmin;
    softmin.temperature = temperature;
    return {greedy({heuristic}), of(softmin)};
  }
};

}  // namespace banditplan
