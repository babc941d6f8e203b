#pragma once

#include "bandits/bandit.hpp"
#include "tree/statistics.hpp"

namespace banditplan {

/// A recipe for what the data of a node say about its value: const, thread-safe.
class Backup {
 public:
  virtual ~Backup() = default;

  /// What the bandit is shown of a child that is not locked.
  virtual Arm arm(const Statistics& data) const = 0;
};

}  // namespace banditplan
