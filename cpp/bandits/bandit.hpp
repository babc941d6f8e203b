#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "random.hpp"
#include "statistics/arm.hpp"
#include "statistics/center.hpp"

namespace banditplan {

/// The least and the greatest value of an arm whose values are no whole numbers.
struct Extremes {
  double minimum = 0;
  double maximum = 0;
};

/// The children of a node, of which some are offered to the bandit: those that are not locked and, if `preferred`, are;
/// if they have ranks, those of the given `rank`.
struct Arms {
  std::span<const Arm> all;
  double total = 1;  // leaves under the node
  double log_total = 0;
  bool preferred = false;
  double* scores = nullptr;  // if given, gets the score that decided for every arm on offer, for those who want to know
  std::span<const Extremes> extremes = {};  // of all, if their own are not good enough
  std::span<const Value> ranks = {};        // of all, if they have ranks
  Value rank = 0;

  Extremes extremes_of(const Arm& arm) const {
    if (!extremes.empty()) return extremes[place(arm)];
    return {static_cast<double>(arm.minimum), static_cast<double>(arm.maximum)};
  }
  bool offers(const Arm& arm) const {
    return !arm.locked() && (!preferred || arm.preferred) && (ranks.empty() || ranks[place(arm)] == rank);
  }
  std::size_t offered() const {
    return static_cast<std::size_t>(std::ranges::count_if(all, [this](const Arm& arm) { return offers(arm); }));
  }
  template <class Predicate>
  bool any(Predicate&& predicate) const {
    return std::ranges::any_of(all, [&](const Arm& arm) { return offers(arm) && predicate(arm); });
  }

 private:
  std::size_t place(const Arm& arm) const { return static_cast<std::size_t>(&arm - all.data()); }
};

/// A recipe for choosing among arms: const, thread-safe; the data live in the tree.
class Bandit {
 public:
  virtual ~Bandit() = default;

  /// The index of an arm on offer. There is at least one.
  virtual std::size_t choose(const Arms& arms, Random& random) const = 0;

  /// What the backup is asked for in the place of the mean.
  virtual Center center() const { return Center::mean; }
};

/// The arm on offer with the lowest score; among equals, each is as likely. One pass.
template <class Score>
std::size_t lowest(const Arms& arms, Random& random, Score&& score) {
  double best = 0;
  std::size_t chosen = 0;
  std::uint32_t ties = 0;
  for (std::size_t i = 0; i < arms.all.size(); ++i) {
    if (!arms.offers(arms.all[i])) continue;
    const double value = score(arms.all[i]);
    if (arms.scores) arms.scores[i] = value;
    if (ties == 0 || value < best) {
      best = value;
      chosen = i;
      ties = 1;
    } else if (value == best && random.below(++ties) == 0) {
      chosen = i;
    }
  }
  return chosen;
}

}  // namespace banditplan
