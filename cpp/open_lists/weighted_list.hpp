#pragma once

#include <map>

#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The smallest g + weight · h first; among equals the oldest, or the smallest h and then the oldest.
class WeightedList : public OpenList {
 public:
  WeightedList(double weight, bool breaks_ties_by_h) : weight_(weight), breaks_ties_by_h_(breaks_ties_by_h) {}

  void push(Id h, std::int64_t g, Id state) override {
    buckets_[{static_cast<double>(g) + weight_ * h, breaks_ties_by_h_ ? h : 0}].push(state);
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
  bool breaks_ties_by_h_;
  std::map<std::pair<double, Id>, Bucket> buckets_;
};

}  // namespace banditplan
