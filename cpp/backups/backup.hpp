#pragma once

#include <span>

#include "bandits/bandit.hpp"

namespace banditplan {

/// A recipe for what the data of a node say about its value: const, thread-safe.
class Backup {
 public:
  virtual ~Backup() = default;

  /// Gets arms with the mean and the midrange of all leaves; leaves in their place what the value is estimated to be.
  virtual void apply(std::span<Arm> arms) const = 0;
};

}  // namespace banditplan
