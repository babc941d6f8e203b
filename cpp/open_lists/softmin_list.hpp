#pragma once

#include <algorithm>

#include "exponential.hpp"
#include "open_lists/groups.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// Draws one of the h-values that are there, h with a probability proportional to exp(−h / temperature) however many
/// states have it; then one of its g-values, then one of their states, each as likely.
class SoftminList : public OpenList {
 public:
  explicit SoftminList(double temperature) : temperature_(temperature) {}

  void push(Id h, std::int64_t g, Id state) override {
    auto level = std::ranges::lower_bound(levels_, h, {}, &Level::h);
    if (level == levels_.end() || level->h != h) level = levels_.insert(level, {h, {}});
    level->by_g.push(static_cast<std::uint64_t>(g), state);
  }

  Id pop(Random& random) override {
    if (levels_.empty()) return kNone;
    const auto level = levels_.begin() + static_cast<std::ptrdiff_t>(draw_level(random));
    const Id state = level->by_g.pop(random);
    if (level->by_g.empty()) levels_.erase(level);
    return state;
  }

  bool uses_g() const override { return true; }

 private:
  struct Level {
    Id h;
    Groups by_g;
  };

  /// Weights are relative to the smallest h, so that they cannot all vanish.
  std::size_t draw_level(Random& random) {
    sums_.clear();
    double sum = 0;
    for (const Level& level : levels_) {
      const double more = sum + weight(level.h - levels_.front().h);
      if (more == sum) break;  // so are all that follow
      sums_.push_back(sum = more);
    }
    const double drawn = random.uniform() * sum;
    return static_cast<std::size_t>(std::ranges::upper_bound(sums_, drawn) - sums_.begin());
  }

  double weight(Id difference) {
    if (difference >= kKept) return exponential(-difference / temperature_);
    for (auto d = static_cast<Id>(weights_.size()); d <= difference; ++d)
      weights_.push_back(exponential(-d / temperature_));
    return weights_[difference];
  }

  static constexpr Id kKept = 1 << 10;

  double temperature_;
  std::vector<Level> levels_;    // by h
  std::vector<double> weights_;  // by the difference to the smallest h
  std::vector<double> sums_;     // of the weights up to each level
};

}  // namespace banditplan
