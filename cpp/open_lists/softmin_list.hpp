#pragma once

#include "open_lists/ordered_by.hpp"

namespace banditplan {

/// Draws one of the h-values that are there, h with a probability proportional to exp(−h / temperature) however many
/// states have it; then one of its g-values, then one of their states, each as likely (Kuroiwa and Beck 2022).
struct SoftminList : OrderedBy {
  double temperature = 1;

  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_g() const override { return true; }
};

}  // namespace banditplan
