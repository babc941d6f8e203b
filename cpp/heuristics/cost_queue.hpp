#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// A monotone priority queue of facts: what is pushed is never cheaper than what was popped last.
/// First in, first out among equals.
class CostQueue {
 public:
  static constexpr Id kEmpty = -1;

  void clear() {
    for (std::size_t i = current_; i < buckets_.size(); ++i) buckets_[i].clear();
    heap_.clear();
    current_ = next_ = 0;
    pushed_ = 0;
  }

  void push(Id cost, Id fact) {
    if (cost < kBuckets) {
      if (buckets_.size() <= static_cast<std::size_t>(cost)) buckets_.resize(cost + 1);
      buckets_[cost].push_back(fact);
    } else {
      heap_.push_back({cost, pushed_++, fact});
      std::push_heap(heap_.begin(), heap_.end(), std::greater{});
    }
  }

  /// The smallest cost in the queue, or kEmpty.
  Id peek() {
    for (; current_ < buckets_.size(); ++current_, next_ = 0) {
      if (next_ < buckets_[current_].size()) return static_cast<Id>(current_);
      buckets_[current_].clear();
    }
    return heap_.empty() ? kEmpty : heap_.front().cost;
  }

  /// Removes a cheapest fact; to be called after `peek`.
  Id pop() {
    if (current_ < buckets_.size()) return buckets_[current_][next_++];
    std::pop_heap(heap_.begin(), heap_.end(), std::greater{});
    const Id fact = heap_.back().fact;
    heap_.pop_back();
    return fact;
  }

 private:
  static constexpr Id kBuckets = 4096;  // costs beyond are rare and go to a heap
  struct Entry {
    Id cost;
    std::uint32_t order;
    Id fact;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<std::vector<Id>> buckets_;
  std::vector<Entry> heap_;
  std::size_t current_ = 0, next_ = 0;
  std::uint32_t pushed_ = 0;
};

}  // namespace banditplan
