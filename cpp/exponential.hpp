#pragma once

#include <cmath>

namespace banditplan {

/// e to the power of x, for x ≤ 0, to about one unit in the last place, from operations that IEEE 754 fixes: the same
/// on every platform, which `std::exp` is not.
inline double exponential(double x) {
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // ln 2 in two parts
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  if (!(x > -746)) return 0;
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;  // |r| < 0.35
  double sum = 1;
  for (int n = 14; n > 0; --n) sum = 1 + sum * (r / n);
  return std::ldexp(sum, static_cast<int>(k));
}

}  // namespace banditplan
