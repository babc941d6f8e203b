#pragma once

#include "open_lists/ordered_by.hpp"

namespace banditplan {

/// Any type first, then any state of it, each as likely: the type of a state is the pair of its h and its g (Xie,
/// Müller, Holte and Imai 2014).
struct TypeList : OrderedBy {
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override;
  bool uses_g() const override { return true; }
};

}  // namespace banditplan
