#pragma once

#include "backups/backup.hpp"

namespace banditplan {

/// Full-Bellman backup (Keller and Helmert 2013; Schulte and Keller 2014): a node is worth its best leaf that can still
/// be selected. It takes the place of the mean; count, variance and extremes stay those of all leaves.
struct FullBellman : Backup {
  Arm arm(const Statistics& data) const override {
    const double best = data.open_minimum;
    return {static_cast<double>(data.count),  best, best, data.variance(), static_cast<double>(data.minimum),
            static_cast<double>(data.maximum)};
  }
};

}  // namespace banditplan
