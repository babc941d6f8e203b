#pragma once

#include "backups/backup.hpp"

namespace banditplan {

/// Monte-Carlo backup (Kocsis and Szepesvári 2006): a node is worth the mean of the leaves under it.
struct MonteCarlo : Backup {
  Arm arm(const Statistics& data) const override {
    const double minimum = data.minimum, maximum = data.maximum;
    return {static_cast<double>(data.count), data.mean(), (minimum + maximum) / 2, data.variance(), minimum, maximum};
  }
};

}  // namespace banditplan
