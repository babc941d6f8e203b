#pragma once

#include "open_lists/bucket.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The oldest first.
struct FifoList : OpenList {
  void add_to(Columns&) const override {}
  std::unique_ptr<Frontier> bind(const Columns&, SearchSpace& space) const override {
    return std::make_unique<FifoQueue>(space);
  }

 private:
  class FifoQueue : public Queue {
   public:
    using Queue::Queue;
    void visit_next(std::size_t /*most*/, const std::function<bool(StateId)>& visit) const override {
      states_.visit_next(Ties::fifo, visit);
    }

   private:
    void insert(StateId state, std::span<const Value>) override { states_.push(state); }
    StateId take(Random& random, const SearchSpace&) override {
      return states_.empty() ? kNoState : states_.pop(Ties::fifo, random);
    }

    Bucket states_;
  };
};

}  // namespace banditplan
