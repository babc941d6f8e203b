#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ids.hpp"
#include "statistics/wide.hpp"

namespace banditplan {

/// What is known of the h-values of the leaves under a node. The sums are exact for up to 2³² leaves of any h, so they
/// do not drift however often data are merged and retracted (Chan, Golub and LeVeque 1982 do it with means instead).
struct Statistics {
  static constexpr Value kNone = std::numeric_limits<Value>::max();

  std::uint64_t sum = 0;
  Wide squares;
  std::uint32_t count = 0;
  Value minimum = kNone;
  Value maximum = -1;
  Value open_minimum = kNone;  // over the leaves that are not locked; none: they all are
  Value rank = kNone;          // the least over the leaves that are not locked, if they have ranks

  static Statistics leaf(Value h, bool locked = false, Value rank = kNone) {
    const auto value = static_cast<std::uint64_t>(h);
    return {value, {0, value * value}, 1, h, h, locked ? kNone : h, locked ? kNone : rank};
  }
  void lock() { open_minimum = rank = kNone; }

  bool locked() const { return open_minimum == kNone; }

  double mean() const {
    if (minimum == maximum) return minimum;
    return static_cast<double>(static_cast<std::int64_t>(sum)) / count;
  }

  /// Of the population: divided by the count.
  double variance() const {
    if (minimum == maximum) return 0;
    const double n = count;
    if (squares.high == 0 && squares.low < (std::uint64_t{1} << 40) && count < (1u << 23))
      return static_cast<double>(static_cast<std::int64_t>(count * squares.low - sum * sum)) / (n * n);
    // count · Σh² − (Σh)² < 2¹²⁸; never negative, by Cauchy and Schwarz
    Wide spread = Wide::product(squares.low, count);
    spread.high += squares.high * count;
    spread -= Wide::product(sum, sum);
    return static_cast<double>(spread) / (n * n);
  }

  void merge(const Statistics& other) {
    merge_sums(other);
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    open_minimum = std::min(open_minimum, other.open_minimum);
    rank = std::min(rank, other.rank);
  }
  void merge_sums(const Statistics& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
  }
  /// Takes back what was merged. The extremes stay: they cannot be taken back.
  void retract_sums(const Statistics& other) {
    count -= other.count;
    sum -= other.sum;
    squares -= other.squares;
  }

  bool same_extremes(const Statistics& other) const {
    return minimum == other.minimum && maximum == other.maximum && open_minimum == other.open_minimum &&
           rank == other.rank;
  }

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

}  // namespace banditplan
