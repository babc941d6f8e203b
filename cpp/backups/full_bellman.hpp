#pragma once

#include <limits>

#include "backups/backup.hpp"

namespace banditplan {

/// Full-Bellman backup (Keller and Helmert 2013; Schulte and Keller 2014): a node is worth its best leaf that can still
/// be selected. Count, variance and extremes stay those of all leaves.
struct FullBellman : Backup {
  double value(const Statistics& data, Center) const override {
    return data.locked() ? std::numeric_limits<double>::infinity() : data.open_minimum;
  }
};

}  // namespace banditplan
