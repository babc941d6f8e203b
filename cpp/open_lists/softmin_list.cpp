#include "open_lists/softmin_list.hpp"

#include <algorithm>

#include "exponential.hpp"
#include "open_lists/groups.hpp"

namespace banditplan {

namespace {

class SoftminQueue : public Queue {
 public:
  SoftminQueue(const SearchSpace& space, std::size_t column, double temperature)
      : Queue(space), column_(column), temperature_(temperature) {}

 private:
  struct Level {
    Value h;
    Groups by_g;
  };

  void insert(StateId state, std::span<const Value> row) override {
    const Value h = row[column_];
    auto level = std::ranges::lower_bound(levels_, h, {}, &Level::h);
    if (level == levels_.end() || level->h != h) level = levels_.insert(level, {h, {}});
    level->by_g.push(static_cast<std::uint64_t>(g(state)), state);
  }

  StateId take(Random& random, const SearchSpace&) override {
    if (levels_.empty()) return kNoState;
    const auto level = levels_.begin() + static_cast<std::ptrdiff_t>(draw_level(random));
    const StateId state = level->by_g.pop(random);
    if (level->by_g.empty()) levels_.erase(level);
    return state;
  }

  /// Weights are relative to the smallest h, so that they cannot all vanish.
  std::size_t draw_level(Random& random) {
    sums_.clear();
    double sum = 0;
    for (const Level& level : levels_) {
      const double more = sum + weight(level.h - levels_.front().h);
      if (more == sum) break;  // so are all that follow
      sums_.push_back(sum = more);
    }
    const double drawn = random.uniform() * sum;
    return static_cast<std::size_t>(std::ranges::upper_bound(sums_, drawn) - sums_.begin());
  }

  double weight(Value difference) {
    if (difference >= kKept) return exponential(-difference / temperature_);
    for (auto d = static_cast<Value>(weights_.size()); d <= difference; ++d)
      weights_.push_back(exponential(-d / temperature_));
    return weights_[static_cast<std::size_t>(difference)];
  }

  static constexpr Value kKept = 1 << 10;

  std::size_t column_;
  double temperature_;
  std::vector<Level> levels_;    // by h
  std::vector<double> weights_;  // by the difference to the smallest h
  std::vector<double> sums_;     // of the weights up to each level
};

}  // namespace

std::unique_ptr<Frontier> SoftminList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<SoftminQueue>(space, columns.of(*heuristic), temperature);
}

}  // namespace banditplan
