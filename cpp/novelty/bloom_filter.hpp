#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace banditplan {

/// A set of hashes that forgets nothing, and sometimes believes to know what it never saw (Bloom 1970).
class BloomFilter {
 public:
  explicit BloomFilter(std::size_t bytes) : words_(std::bit_floor(bytes / sizeof(std::uint64_t)), 0) {}

  /// Whether the hash was not there before.
  bool insert(std::uint64_t hash) {
    bool fresh = false;
    for (int probe = 0; probe < kProbes; ++probe) {
      const std::uint64_t place = hash * (2 * static_cast<std::uint64_t>(probe) + 0x9e3779b97f4a7c15ull) >> 16;
      std::uint64_t& word = words_[place / 64 % words_.size()];
      const std::uint64_t bit = std::uint64_t{1} << (place % 64);
      if ((word & bit) == 0) ++bits_;
      fresh = fresh || (word & bit) == 0;
      word |= bit;
    }
    return fresh;
  }

  /// The share of bits that are set: its power kProbes is the chance of an error.
  double load() const { return static_cast<double>(bits_) / (64.0 * static_cast<double>(words_.size())); }

  void clear() {
    words_.assign(words_.size(), 0);
    bits_ = 0;
  }

 private:
  static constexpr int kProbes = 3;

  std::vector<std::uint64_t> words_;
  std::size_t bits_ = 0;
};

}  // namespace banditplan
