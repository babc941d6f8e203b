#pragma once

#include <algorithm>
#include <optional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "evaluation/lookahead.hpp"
#include "states/coming.hpp"

namespace banditplan {

/// The order in which a search will probably expand states: those that wait, as its open list tells, and amid them what
/// was evaluated ahead below these and is better than those that follow.
class Foresight {
 public:
  /// A state that waits or, if the search has not come to it yet, what the look-ahead calls it.
  struct Place {
    StateId state = kNoState;
    StoredId ahead = kNotStored;
  };

  /// The look-ahead must live as long as this.
  explicit Foresight(const Lookahead& lookahead) : lookahead_(lookahead) {}

  /// These states wait, and must stay until the next call. If all of them are ordered by a value of the column, what is
  /// better comes before them, else after.
  void begin(const Coming& coming) {
    waiting_ = coming.states();
    column_ = coming.column();
    ordered_ = std::ranges::find(waiting_, Awaited::kUnknown, &Awaited::h) == waiting_.end();
    const bool others_follow = waiting_.size() == coming.most();
    bound_ = ordered_ && others_follow ? std::ranges::max(waiting_, {}, &Awaited::h).h : kDeadEnd;
    better_ = {};
    number_ = 0;
    left_ = std::min(kMostPlaces, coming.horizon());
  }
  /// A state whose row of values is known comes into the order, too.
  void add(StoredId ahead, const Value* row) {
    if (row[column_] < bound_) better_.push({row[column_], number_++, ahead});
  }

  /// The next place whose successors were not gathered yet.
  std::optional<Place> next() {
    const auto add_below = [this](StoredId ahead, const Value* row) { add(ahead, row); };
    for (; left_ > 0 && !(waiting_.empty() && better_.empty()); --left_) {
      const Place place = take();
      const bool waits = place.state != kNoState;
      if (!(waits ? lookahead_.looked_at(place.state) : lookahead_.looked_at(place.ahead))) return place;
      waits ? lookahead_.visit_below(place.state, add_below) : lookahead_.visit_below(place.ahead, add_below);
    }
    return {};
  }

 private:
  static constexpr std::int64_t kMostPlaces = 256;

  struct Better {
    Value h;
    std::size_t number;  // in the order in which they are met
    StoredId ahead;

    /// The last one comes first.
    friend bool operator<(const Better& a, const Better& b) {
      return std::tie(b.h, b.number) < std::tie(a.h, a.number);
    }
  };

  Place take() {
    if (waiting_.empty() || (ordered_ && !better_.empty() && better_.top().h < waiting_.front().h)) {
      const Place place{.ahead = better_.top().ahead};
      better_.pop();
      return place;
    }
    const Place place{.state = waiting_.front().state};
    waiting_ = waiting_.subspan(1);
    return place;
  }

  const Lookahead& lookahead_;
  std::span<const Awaited> waiting_;
  std::size_t column_ = 0;
  bool ordered_ = false;    // whether those that wait are, by values of the column
  Value bound_ = kDeadEnd;  // what is not better comes too late
  std::priority_queue<Better> better_;
  std::size_t number_ = 0;
  std::int64_t left_ = 0;  // places to pass
};

}  // namespace banditplan
