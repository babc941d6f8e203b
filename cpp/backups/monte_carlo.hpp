#pragma once

#include "backups/backup.hpp"

namespace banditplan {

/// Monte-Carlo backup (Kocsis and Szepesvári 2006): a node is worth the mean of the leaves under it.
struct MonteCarlo : Backup {
  void apply(std::span<Arm>) const override {}
};

}  // namespace banditplan
