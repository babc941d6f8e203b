#pragma once

#include <span>

#include "statistics/arm.hpp"
#include "statistics/center.hpp"
#include "statistics/gaussian.hpp"
#include "statistics/statistics.hpp"

namespace banditplan {

/// A recipe for what the data of a node say about its value: const, thread-safe.
class Backup {
 public:
  virtual ~Backup() = default;

  /// Infinite if there is none.
  virtual double value(const Statistics& data, Center center) const = 0;
  /// Whether the value is the mean of the data: to know that saves a call at every level of a tree.
  virtual bool is_mean(Center /*center*/) const { return false; }

  /// Whether the value and the variance of a node with children are made of theirs, by `of_children`, and not of the
  /// leaves under it.
  virtual bool is_of_children() const { return false; }
  virtual Gaussian of_children(std::span<const Arm> /*children*/) const { return {}; }
};

}  // namespace banditplan
