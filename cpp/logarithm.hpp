#pragma once

#include <cmath>
#include <cstddef>

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
  // log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), |s| < 0.172
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;
  for (int k = 25; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
  return exponent * kLn2High + (2 * s + (2 * s * series + exponent * kLn2Low));
}

}  // namespace banditplan
