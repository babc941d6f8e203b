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
    void tell(Coming& coming) const override { states_.tell(Ties::fifo, coming); }

   private:
    void insert(StateId state, std::span<const Value>) override { states_.push(state); }
    StateId take(Random& random, const SearchSpace&) override {
      return states_.empty() ? kNoState : states_.pop(Ties::fifo, random);
    }

    Bucket states_;
  };
};

}  // namespace banditplan
