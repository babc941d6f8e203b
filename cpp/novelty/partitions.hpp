#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// Numbers tuples of values of evaluators: states with the same tuple are in the same partition.
class Partitions {
 public:
  std::size_t size() const { return keys_.size() + begin_; }

  /// The number of a partition, which is new if it is the `size()` of before.
  std::size_t find(std::span<const Id> key) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ull;
    for (Id value : key) {
      hash = (hash ^ static_cast<std::uint32_t>(value)) * 0xff51afd7ed558ccdull;
      hash ^= hash >> 32;
    }
    auto [first, last] = by_hash_.equal_range(hash);
    for (; first != last; ++first)
      if (std::ranges::equal(keys_[first->second], key)) return begin_ + first->second;
    by_hash_.emplace(hash, keys_.size());
    keys_.append(key);
    return size() - 1;
  }

  /// Forgets all of them; numbers are not used again.
  void clear() {
    begin_ = size();
    keys_ = {};
    by_hash_.clear();
  }

 private:
  std::size_t begin_ = 0;  // numbers that are forgotten
  Lists<Id> keys_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

}  // namespace banditplan
