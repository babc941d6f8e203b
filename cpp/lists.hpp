#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "ids.hpp"

namespace banditplan {

/// Many short lists, stored back to back in one array.
template <class T>
class Lists {
 public:
  std::size_t size() const { return starts_.size() - 1; }
  std::size_t total() const { return items_.size(); }

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
  void close() { starts_.push_back(items_.size()); }
  void append(std::span<const T> list) {
    items_.insert(items_.end(), list.begin(), list.end());
    close();
  }
  void reserve(std::size_t lists, std::size_t items) {
    starts_.reserve(lists + 1);
    items_.reserve(items);
  }
  void shrink_to_fit() {
    starts_.shrink_to_fit();
    items_.shrink_to_fit();
  }

  /// For every value in [0, values): the indices of the lists in which it occurs, ascending.
  template <class Key>
  static Lists<Id> inverse(const Lists<T>& lists, std::size_t values, Key key) {
    Lists<Id> result;
    result.starts_.assign(values + 1, 0);
    for (const T& item : lists.items_) ++result.starts_[static_cast<std::size_t>(key(item)) + 1];
    for (std::size_t v = 0; v < values; ++v) result.starts_[v + 1] += result.starts_[v];
    result.items_.resize(lists.items_.size());
    std::vector<std::size_t> next(result.starts_.begin(), result.starts_.end() - 1);
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const T& item : lists[i]) result.items_[next[static_cast<std::size_t>(key(item))]++] = static_cast<Id>(i);
    return result;
  }

 private:
  template <class U>
  friend class Lists;

  std::vector<T> items_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace banditplan
