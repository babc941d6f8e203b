#pragma once

#include "backups/backup.hpp"

namespace banditplan {

/// Monte-Carlo backup (Kocsis and Szepesvári 2006): a node is worth the mean of the leaves under it.
struct MonteCarlo : Backup {
  double value(const Statistics& data, Center center) const override {
    return center == Center::mean ? data.mean() : (static_cast<double>(data.minimum) + data.maximum) / 2;
  }
  bool is_mean(Center center) const override { return center == Center::mean; }
};

}  // namespace banditplan
