#pragma once

#include <algorithm>

namespace banditplan {

/// What something took: of the last eight times or so; the first one, when caches are cold, does not count. What takes
/// very long was most probably interrupted by another process.
struct Average {
  static constexpr double kOutlier = 4;
  static constexpr int kMost = 8;
  double value = 0;
  int count = 0;
  bool known() const { return count > 0; }
  bool settled() const { return count > 1; }
  void enter(double seconds) {
    if (known()) seconds = std::min(seconds, kOutlier * value);
    count = std::min(count + 1, kMost + 1);
    value += (seconds - value) / std::max(count - 1, 1);
  }
};

}  // namespace banditplan
