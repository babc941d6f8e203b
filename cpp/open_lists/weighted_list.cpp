#include "open_lists/weighted_list.hpp"

#include <map>

#include "open_lists/bucket.hpp"

namespace banditplan {

namespace {

class WeightedQueue : public Queue {
 public:
  WeightedQueue(const SearchSpace& space, std::size_t column, double weight, SumTies ties)
      : Queue(space), column_(column), weight_(weight), ties_(ties) {}

  void tell(Coming& coming) const override {
    for (const auto& [key, bucket] : buckets_)
      if (!bucket.tell(Ties::fifo, coming)) return;
  }

 private:
  void insert(StateId state, std::span<const Value> row) override {
    const Value h = row[column_];
    buckets_[{static_cast<double>(g(state)) + weight_ * h, ties_ == SumTies::h ? h : 0}].push(state);
  }

  StateId take(Random& random, const SearchSpace&) override {
    if (buckets_.empty()) return kNoState;
    Bucket& bucket = buckets_.begin()->second;
    const StateId state = bucket.pop(Ties::fifo, random);
    if (bucket.empty()) buckets_.erase(buckets_.begin());
    return state;
  }

  std::size_t column_;
  double weight_;
  SumTies ties_;
  std::map<std::pair<double, Value>, Bucket> buckets_;
};

}  // namespace

std::unique_ptr<Frontier> WeightedList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<WeightedQueue>(space, columns.of(*heuristic), weight, ties);
}

}  // namespace banditplan
