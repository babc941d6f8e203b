#pragma once

#include "statistics/statistics.hpp"

namespace banditplan {

/// Where a bandit's bound is centred: at the mean of the data, or in the middle between minimum and maximum.
enum class Center { mean, midrange };

/// A recipe for what the data of a node say about its value: const, thread-safe.
class Backup {
 public:
  virtual ~Backup() = default;

  /// Infinite if there is none.
  virtual double value(const Statistics& data, Center center) const = 0;
};

}  // namespace banditplan
