#pragma once

#include <algorithm>
#include <unordered_map>

#include "hash.hpp"
#include "lists.hpp"

namespace banditplan {

/// Lists of ids with numbers; equal lists have the same number.
class NumberedLists {
 public:
  const Lists<Id>& lists() const { return lists_; }

  /// The number of the list, which is new if it is the number of lists before.
  std::size_t number(std::span<const Id> list) {
    const std::uint64_t hash = hash_ids(list);
    auto [first, last] = by_hash_.equal_range(hash);
    for (; first != last; ++first)
      if (std::ranges::equal(lists_[first->second], list)) return first->second;
    by_hash_.emplace(hash, lists_.size());
    lists_.append(list);
    return lists_.size() - 1;
  }

 private:
  Lists<Id> lists_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

}  // namespace banditplan
