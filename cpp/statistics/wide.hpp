#pragma once

#include <compare>
#include <cstdint>

namespace banditplan {

/// An unsigned number of 128 bits, as far as sums of squares need one.
struct Wide {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  static Wide product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kHalf = 0xffffffffu;
    const std::uint64_t ll = (a & kHalf) * (b & kHalf), lh = (a & kHalf) * (b >> 32);
    const std::uint64_t hl = (a >> 32) * (b & kHalf), hh = (a >> 32) * (b >> 32);
    const std::uint64_t middle = (ll >> 32) + (lh & kHalf) + (hl & kHalf);
    return {hh + (lh >> 32) + (hl >> 32) + (middle >> 32), (middle << 32) | (ll & kHalf)};
  }

  Wide& operator+=(const Wide& other) {
    low += other.low;
    high += other.high + (low < other.low);
    return *this;
  }
  Wide& operator-=(const Wide& other) {
    high -= other.high + (low < other.low);
    low -= other.low;
    return *this;
  }
  explicit operator double() const { return static_cast<double>(high) * 0x1p64 + static_cast<double>(low); }
  friend auto operator<=>(const Wide&, const Wide&) = default;
};

}  // namespace banditplan
