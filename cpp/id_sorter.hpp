#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ids.hpp"

namespace banditplan {

/// Sorts ids, no two of which are the same: with a bit for each, and one for each word of these bits, in time that is
/// linear in their number but for a 4096th of the largest.
class IdSorter {
 public:
  void sort(std::span<Id> ids) {
    if (ids.size() <= kFew) return std::sort(ids.begin(), ids.end());
    const auto largest = static_cast<std::size_t>(std::ranges::max(ids));
    words_.resize(std::max(words_.size(), largest / kBits + 1));
    groups_.resize(std::max(groups_.size(), largest / kBits / kBits + 1));
    for (const Id id : ids) {
      const auto bit = static_cast<std::size_t>(id), word = bit / kBits;
      words_[word] |= std::uint64_t{1} << bit % kBits;
      groups_[word / kBits] |= std::uint64_t{1} << word % kBits;
    }
    auto next = ids.begin();
    for (std::size_t group = 0; next != ids.end(); ++group) {
      assert(group < groups_.size());  // else one of them is there twice
      for (std::uint64_t words = std::exchange(groups_[group], 0); words != 0; words &= words - 1) {
        const std::size_t word = group * kBits + static_cast<std::size_t>(std::countr_zero(words));
        for (std::uint64_t bits = std::exchange(words_[word], 0); bits != 0; bits &= bits - 1)
          *next++ = static_cast<Id>(word * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kFew = 16;  // to compare them is faster

  std::vector<std::uint64_t> words_, groups_;  // all 0 between calls
};

}  // namespace banditplan
