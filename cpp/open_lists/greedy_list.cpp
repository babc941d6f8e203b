#include "open_lists/greedy_list.hpp"

#include "open_lists/lowest.hpp"

namespace banditplan {

namespace {

/// By one value.
class GreedyQueue : public Queue {
 public:
  GreedyQueue(const SearchSpace& space, std::size_t column, Ties ties) : Queue(space), column_(column), ties_(ties) {}

  /// Where the oldest comes first, the order is that of the values.
  void tell(Coming& coming) const override {
    buckets_.visit_next([&](Value h, const Bucket& bucket) {
      if (ties_ != Ties::fifo) return bucket.tell(ties_, coming);
      return bucket.visit_next(ties_, [&](StateId state) { return coming.take(state, column_, h); });
    });
  }

 private:
  void insert(StateId state, std::span<const Value> row) override { buckets_.at(row[column_]).push(state); }
  void insert_all(std::span<const Child> children, std::span<const Value> row) override {
    if (!children.empty()) buckets_.at(row[column_]).push(children);
  }

  StateId take(Random& random, const SearchSpace&) override {
    Bucket* const bucket = buckets_.first();
    return bucket ? bucket->pop(ties_, random) : kNoState;
  }

  std::size_t column_;
  Ties ties_;
  Lowest<Bucket> buckets_;
};

/// States that are equal in the first values, in the order of the others.
class Level {
 public:
  bool empty() { return states_.empty() && next_.empty(); }

  void insert(StateId state, std::span<const Value> row, std::span<const std::size_t> columns) {
    if (columns.empty())
      states_.push(state);
    else
      next_.at(row[columns[0]]).insert(state, row, columns.subspan(1));
  }

  StateId take(Ties ties, Random& random) {
    if (!states_.empty()) return states_.pop(ties, random);
    Level* const first = next_.first();
    return first ? first->take(ties, random) : kNoState;
  }

  /// Whether more states are wanted.
  bool tell(Ties ties, Coming& coming) const {
    return states_.tell(ties, coming) &&
           next_.visit_next([&](Value, const Level& level) { return level.tell(ties, coming); });
  }

 private:
  Bucket states_;
  Lowest<Level, 256> next_;  // there may be many of them
};

/// By several values.
class LexicographicQueue : public Queue {
 public:
  LexicographicQueue(const SearchSpace& space, std::vector<std::size_t> columns, Ties ties)
      : Queue(space), columns_(std::move(columns)), ties_(ties) {}

  void tell(Coming& coming) const override { all_.tell(ties_, coming); }

 private:
  void insert(StateId state, std::span<const Value> row) override { all_.insert(state, row, columns_); }
  StateId take(Random& random, const SearchSpace&) override { return all_.take(ties_, random); }

  std::vector<std::size_t> columns_;
  Ties ties_;
  Level all_;
};

}  // namespace

std::unique_ptr<Frontier> GreedyList::bind(const Columns& columns, SearchSpace& space) const {
  if (heuristics.size() == 1) return std::make_unique<GreedyQueue>(space, columns.of(*heuristics[0]), ties);
  std::vector<std::size_t> by;
  for (const HeuristicPointer& heuristic : heuristics) by.push_back(columns.of(*heuristic));
  return std::make_unique<LexicographicQueue>(space, std::move(by), ties);
}

}  // namespace banditplan
