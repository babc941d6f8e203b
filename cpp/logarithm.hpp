#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace banditplan {

/// The natural logarithm of a positive number, to about one unit in the last place, from operations that IEEE 754
/// fixes: the same on every platform, which `std::log` is not.
inline double logarithm(double x) {
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // ln 2 in two parts
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  // log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), |s| < 0.172; by fours, which do not wait for one another
  const double s = (m - 1) / (m + 1);
  const double z = s * s, z2 = z * z, z4 = z2 * z2;
  const double first = (1.0 / 3 + z * (1.0 / 5)) + z2 * (1.0 / 7 + z * (1.0 / 9));
  const double second = (1.0 / 11 + z * (1.0 / 13)) + z2 * (1.0 / 15 + z * (1.0 / 17));
  const double third = (1.0 / 19 + z * (1.0 / 21)) + z2 * (1.0 / 23 + z * (1.0 / 25));
  const double series = z * (first + z4 * (second + z4 * third));
  return exponent * kLn2High + (2 * s + (2 * s * series + exponent * kLn2Low));
}

/// The logarithms of whole numbers from 1 on, which a search asks for at every level of its tree: up to a bound, they
/// are computed once.
class Logarithms {
 public:
  double of(std::uint32_t number) {
    if (number < known_.size()) return known_[number];
    if (number >= kMostKnown) return logarithm(number);
    while (known_.size() <= number) known_.push_back(logarithm(static_cast<double>(known_.size())));
    return known_[number];
  }

 private:
  static constexpr std::uint32_t kMostKnown = 1 << 18;

  std::vector<double> known_{0};
};

}  // namespace banditplan
