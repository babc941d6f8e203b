#pragma once

#include <algorithm>

#include "hash.hpp"
#include "lists.hpp"

namespace banditplan {

/// Lists of ids with numbers; equal lists have the same number.
class NumberedLists {
 public:
  const Lists<Id>& lists() const { return lists_; }

  /// The number of the list, which is new if it is the number of lists before.
  std::size_t number(std::span<const Id> list) {
    if (slots_.size() < 2 * (lists_.size() + 1)) grow();
    const auto hash = static_cast<std::uint32_t>(hash_ids(list));
    const std::size_t at = find(
        hash, [&](std::size_t number) { return hashes_[number] == hash && std::ranges::equal(lists_[number], list); });
    if (slots_[at] != kEmpty) return static_cast<std::size_t>(slots_[at]);
    slots_[at] = static_cast<Id>(lists_.size());
    hashes_.push_back(hash);
    lists_.append(list);
    return lists_.size() - 1;
  }

 private:
  static constexpr Id kEmpty = -1;
  static constexpr std::size_t kLeastSlots = 64;

  /// The slot of the list that it is, or an empty one.
  template <class IsIt>
  std::size_t find(std::uint32_t hash, IsIt is_it) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != kEmpty && !is_it(static_cast<std::size_t>(slots_[at]))) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(std::max(2 * slots_.size(), kLeastSlots), kEmpty);
    for (std::size_t number = 0; number < hashes_.size(); ++number)
      slots_[find(hashes_[number], [](std::size_t) { return false; })] = static_cast<Id>(number);
  }

  Lists<Id> lists_;
  std::vector<std::uint32_t> hashes_;  // per list
  std::vector<Id> slots_;              // numbers of lists; at least half of them are empty
};

}  // namespace banditplan
