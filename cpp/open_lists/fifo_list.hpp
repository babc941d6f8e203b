#pragma once

#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The oldest first.
class FifoList : public OpenList {
 public:
  void push(Id, std::int64_t, Id state) override { states_.push(state); }
  Id pop(Random& random) override { return states_.empty() ? kNone : states_.pop(Ties::fifo, random); }
  void visit_next(const std::function<bool(Id)>& visit) const override { states_.visit_next(Ties::fifo, visit); }

 private:
  Bucket states_;
};

}  // namespace banditplan
