#pragma once

#include <limits>
#include <optional>

#include "backups/backup.hpp"

namespace banditplan {

/// A node is worth the least of its children, each a normal variable (Asai and Wissow 2026; Tesauro, Rajan and Segal
/// 2010). Children that are leaves know one value each and could not be uncertain alone: together they are one
/// variable, with the mean and the variance of their values. Locked children are left out.
struct GaussianMinimum : Backup {
  double value(const Statistics& data, Center) const override {
    return data.locked() ? std::numeric_limits<double>::infinity() : data.mean();
  }
  bool is_of_children() const override { return true; }
  Gaussian of_children(std::span<const Arm> children) const override {
    std::optional<Gaussian> least;
    const auto add = [&](const Gaussian& one) { least = least ? smaller(*least, one) : one; };
    Statistics leaves;
    for (const Arm& child : children) {
      if (child.locked()) continue;
      if (child.count > 1)
        add({child.estimate, child.variance});
      else
        leaves.merge(Statistics::leaf(child.minimum));
    }
    if (leaves.count > 0) add({leaves.mean(), leaves.variance()});
    return least.value_or(Gaussian{std::numeric_limits<double>::infinity(), 0});
  }
};

}  // namespace banditplan
