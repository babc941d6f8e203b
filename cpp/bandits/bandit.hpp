#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "logarithm.hpp"
#include "random.hpp"

namespace banditplan {

/// What a bandit knows of a child: its data are the h-values of the leaves under it. Costs are minimised. A backup may
/// have put other estimates in the place of mean and midrange.
struct Arm {
  double count = 0;
  double mean = 0;
  double midrange = 0;  // (minimum + maximum) / 2
  double variance = 0;  // of the population
  double minimum = 0;
  double maximum = 0;
  double best = 0;   // the minimum of the leaves that are not locked
  double score = 0;  // what the bandit compared, for those who want to know
};

/// A recipe for choosing among arms: const, thread-safe; the data live in the tree.
class Bandit {
 public:
  virtual ~Bandit() = default;

  /// The index of an arm. There is at least one; `total` is the number of leaves under the parent, those under
  /// children that are not offered included. Leaves in every arm the score that decided.
  virtual std::size_t choose(std::span<Arm> arms, double total, Random& random) const = 0;
};

/// The arm with the lowest score; among equals, each is as likely. One pass.
template <class Score>
std::size_t lowest(std::span<Arm> arms, Random& random, Score&& score) {
  double best = 0;
  std::size_t chosen = 0;
  std::uint32_t ties = 0;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const double value = arms[i].score = score(arms[i]);
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
