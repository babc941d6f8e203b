#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <vector>

#include "ids.hpp"

namespace banditplan {

/// Many short lists, stored back to back in one array: list i is [starts()[i], starts()[i + 1]) of items().
template <class T>
class Lists {
 public:
  std::size_t size() const { return starts_.size() - 1; }
  std::size_t total() const { return items_.size(); }
  std::span<const std::uint32_t> starts() const { return starts_; }
  std::span<const T> items() const { return items_; }

  std::span<const T> operator[](std::size_t i) const {
    assert(i < size());
    return {items_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }
  std::span<T> operator[](std::size_t i) {
    assert(i < size());
    return {items_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

  /// Appends to the list that the next `close()` ends.
  void add(const T& item) { items_.push_back(item); }
  void close() { starts_.push_back(start(items_.size())); }
  void append(std::span<const T> list) {
    items_.insert(items_.end(), list.begin(), list.end());
    close();
  }
  void clear() {
    starts_.resize(1);
    items_.clear();
  }
  void reserve(std::size_t lists, std::size_t items) {
    starts_.reserve(lists + 1);
    items_.reserve(items);
  }

  /// Leaves the lists for whose index `keep` is true.
  template <class Keep>
  void filter(Keep keep) {
    std::size_t lists = 0, items = 0;
    for (std::size_t i = 0, begin = 0, end = 0; i < size(); ++i, begin = end) {
      end = starts_[i + 1];
      if (!keep(i)) continue;
      while (begin < end) items_[items++] = items_[begin++];
      starts_[++lists] = static_cast<std::uint32_t>(items);
    }
    starts_.resize(lists + 1);
    items_.resize(items);
  }

  /// For every key in [0, keys): its items in the order in which they come. `for_each(visit)` calls `visit(key, item)`
  /// for all of them; it is called twice.
  template <class ForEach>
  static Lists group(std::size_t keys, ForEach for_each) {
    Lists result;
    result.starts_.assign(keys + 1, 0);
    std::size_t items = 0;
    for_each([&](auto key, const T&) {
      ++result.starts_[static_cast<std::size_t>(key) + 1];
      ++items;
    });
    start(items);
    for (std::size_t k = 0; k < keys; ++k) result.starts_[k + 1] += result.starts_[k];
    result.items_.resize(items);
    std::vector<std::uint32_t> next(result.starts_.begin(), result.starts_.end() - 1);
    for_each([&](auto key, const T& item) { result.items_[next[static_cast<std::size_t>(key)]++] = item; });
    return result;
  }

  /// For every value in [0, values): the indices of the lists in which it occurs, ascending. `step()` is called once
  /// per list, twice over.
  template <class Key, class Step>
  static Lists<Id> inverse(const Lists& lists, std::size_t values, Key key, Step step) {
    return Lists<Id>::group(values, [&](auto&& visit) {
      for (std::size_t i = 0; i < lists.size(); ++i, step())
        for (const T& item : lists[i]) visit(key(item), static_cast<Id>(i));
    });
  }
  template <class Key>
  static Lists<Id> inverse(const Lists& lists, std::size_t values, Key key) {
    return inverse(lists, values, key, [] {});
  }

 private:
  /// More than 2³² items are more than there is memory for.
  static std::uint32_t start(std::size_t items) {
    if (items > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
    return static_cast<std::uint32_t>(items);
  }

  std::vector<T> items_;
  std::vector<std::uint32_t> starts_{0};
};

}  // namespace banditplan
