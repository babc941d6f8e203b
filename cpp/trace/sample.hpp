#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace banditplan {

/// Something about some of the rounds of a search, evenly spread however many there are: when there are too many items,
/// every other one is dropped, and from then on half as many are taken.
template <class Item>
class Sample {
 public:
  explicit Sample(std::size_t most) : most_(most) {}

  bool wants(std::int64_t round) const { return round % stride_ == 0; }

  /// Of a round that is wanted.
  void add(Item item) {
    items_.push_back(std::move(item));
    if (items_.size() <= most_) return;
    for (std::size_t i = 1; 2 * i < items_.size(); ++i) items_[i] = std::move(items_[2 * i]);
    items_.resize((items_.size() + 1) / 2);
    stride_ *= 2;
  }

  const std::vector<Item>& items() const { return items_; }
  std::vector<Item>& items() { return items_; }

 private:
  std::size_t most_;
  std::int64_t stride_ = 1;
  std::vector<Item> items_;
};

}  // namespace banditplan
