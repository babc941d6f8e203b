#pragma once

#include "statistics/center.hpp"
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
};

}  // namespace banditplan
