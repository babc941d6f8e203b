#pragma once

#include <algorithm>
#include <cmath>

#include "exponential.hpp"

namespace banditplan {

/// A normal distribution.
struct Gaussian {
  double mean = 0;
  double variance = 0;
};

/// The density of the standard normal distribution.
inline double normal_density(double x) {
  constexpr double kScale = 0.39894228040143268;  // 1 / √2π
  return kScale * exponential(-x * x / 2);
}

/// The probability that a standard normal variable is below x, with an error below 10⁻⁷ (Abramowitz and Stegun 1964,
/// 26.2.17), from the density at x; the same on every platform, which `std::erf` is not.
inline double normal_probability(double x, double density) {
  const double t = 1 / (1 + 0.2316419 * std::abs(x));
  const double polynomial =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double beyond = density * polynomial;
  return x >= 0 ? 1 - beyond : beyond;
}

/// The first two moments of the smaller one of two independent normal variables (Clark 1961), relative to the mean of
/// the first, so that little is lost.
inline Gaussian smaller(const Gaussian& a, const Gaussian& b) {
  const double spread = std::sqrt(a.variance + b.variance);
  if (spread == 0) return a.mean <= b.mean ? a : b;
  const double distance = b.mean - a.mean, alpha = distance / spread;
  const double density = normal_density(alpha);
  const double first = normal_probability(alpha, density), second = 1 - first;  // which of them is the smaller one
  const double mean = distance * second - spread * density;
  const double square = a.variance * first + (distance * distance + b.variance) * second - distance * spread * density;
  return {a.mean + mean, std::max(square - mean * mean, 0.0)};
}

}  // namespace banditplan
