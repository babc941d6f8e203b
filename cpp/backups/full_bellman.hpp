#pragma once

#include "backups/backup.hpp"

namespace banditplan {

/// Full-Bellman backup (Keller and Helmert 2013; Schulte and Keller 2014): a node is worth its best leaf that can still
/// be selected. Count, variance and extremes stay those of all leaves.
struct FullBellman : Backup {
  void apply(std::span<Arm> arms) const override {
    for (Arm& arm : arms) arm.mean = arm.midrange = arm.best;
  }
};

}  // namespace banditplan
