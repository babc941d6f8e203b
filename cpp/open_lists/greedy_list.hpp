#pragma once

#include <algorithm>
#include <map>

#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The smallest h first. Values beyond the buckets are rare.
class GreedyList : public OpenList {
 public:
  explicit GreedyList(Ties ties = Ties::fifo) : ties_(ties) {}

  void push(Id h, std::int64_t, Id state) override {
    if (h >= kBuckets) {
      beyond_[h].push(state);
      return;
    }
    if (buckets_.size() <= static_cast<std::size_t>(h)) buckets_.resize(static_cast<std::size_t>(h) + 1);
    buckets_[h].push(state);
    lowest_ = std::min(lowest_, static_cast<std::size_t>(h));
  }

  Id pop(Random& random) override {
    for (; lowest_ < buckets_.size(); ++lowest_) {
      if (!buckets_[lowest_].empty()) return buckets_[lowest_].pop(ties_, random);
      buckets_[lowest_] = {};
    }
    if (beyond_.empty()) return kNone;
    Bucket& bucket = beyond_.begin()->second;
    const Id state = bucket.pop(ties_, random);
    if (bucket.empty()) beyond_.erase(beyond_.begin());
    return state;
  }

  void visit_next(const std::function<bool(Id)>& visit) const override {
    for (std::size_t h = lowest_; h < buckets_.size(); ++h)
      if (!buckets_[h].visit_next(ties_, visit)) return;
  }

 private:
  static constexpr Id kBuckets = 1 << 16;

  Ties ties_;
  std::vector<Bucket> buckets_;
  std::map<Id, Bucket> beyond_;
  std::size_t lowest_ = 0;
};

}  // namespace banditplan
