#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "logarithm.hpp"

namespace banditplan {

/// Random numbers: xoshiro256** (Blackman and Vigna 2021), seeded by splitmix64. The same seed gives the same numbers
/// on every platform; hence no standard-library distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, n), n > 0, without bias (Lemire 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Standard normal, by the polar method (Marsaglia and Bray 1964).
  double normal() {
    while (true) {
      const double x = 2 * uniform() - 1;
      const double y = 2 * uniform() - 1;
      const double s = x * x + y * y;
      if (s > 0 && s < 1) return x * std::sqrt(-2 * logarithm(s) / s);
    }
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace banditplan
