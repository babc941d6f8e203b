#pragma once

#include <map>

#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The smallest g + weight · h first; among equals the smallest h, then the oldest.
class WeightedList : public OpenList {
 public:
  explicit WeightedList(double weight) : weight_(weight) {}

  void push(Id h, std::int64_t g, Id state) override {
    buckets_[{static_cast<double>(g) + weight_ * h, h}].push(state);
  }

  Id pop(Random& random) override {
    if (buckets_.empty()) return kNone;
    Bucket& bucket = buckets_.begin()->second;
    const Id state = bucket.pop(Ties::fifo, random);
    if (bucket.empty()) buckets_.erase(buckets_.begin());
    return state;
  }

  void visit_next(const std::function<bool(Id)>& visit) const override {
    for (const auto& [key, bucket] : buckets_)
      if (!bucket.visit_next(Ties::fifo, visit)) return;
  }

  bool uses_g() const override { return true; }

 private:
  double weight_;
  std::map<std::pair<double, Id>, Bucket> buckets_;
};

}  // namespace banditplan
