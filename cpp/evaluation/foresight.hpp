#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "evaluation/lookahead.hpp"
#include "states/coming.hpp"

namespace banditplan {

/// The order in which a search will probably expand states: those that wait, as its open list tells, and amid them what
/// was evaluated ahead below these and is better than those that follow.
class Foresight {
 public:
  /// A state of the search or, if that has not come to it yet, what the look-ahead calls it.
  using Place = std::variant<StateId, StoredId>;

  /// The look-ahead must live as long as this.
  explicit Foresight(const Lookahead& lookahead) : lookahead_(lookahead) {}

  /// These states wait, and must stay until the next call. If all of them are ordered by a value of the column, what is
  /// better comes before them, else after.
  void begin(const Coming& coming) {
    waiting_ = coming.states();
    column_ = coming.column();
    ordered_ = std::ranges::find(waiting_, Awaited::kUnknown, &Awaited::h) == waiting_.end();
    const bool bounded = ordered_ && coming.others_follow() && !waiting_.empty();
    bound_ = bounded ? std::ranges::max(waiting_, {}, &Awaited::h).h : kDeadEnd;
    better_.clear();
    passed_.clear();
    number_ = 0;
    left_ = std::min(kMostPlaces, coming.horizon());
  }
  /// A place whose row of values is known comes into the order, too.
  void add(Place place, const Value* row) {
    if (row[column_] >= bound_) return;
    better_.push_back({row[column_], number_++, place});
    std::push_heap(better_.begin(), better_.end());
  }

  /// The next place whose successors were not gathered yet.
  std::optional<Place> next() {
    for (; left_ > 0; --left_) {
      if (waiting_.empty()) add_below_passed();
      if (waiting_.empty() && better_.empty()) return {};
      const Place place = take();
      if (!std::visit([this](auto id) { return lookahead_.looked_at(id); }, place)) {
        --left_;
        return place;
      }
      passed_.push_back(place);
      if (ordered_) add_below_passed();
    }
    return {};
  }

 private:
  static constexpr std::int64_t kMostPlaces = 128;

  struct Better {
    Value h;
    std::size_t number;  // in the order in which they are met
    Place place;

    /// The last one in a heap comes first.
    friend bool operator<(const Better& a, const Better& b) {
      return std::tie(b.h, b.number) < std::tie(a.h, a.number);
    }
  };

  /// What was evaluated ahead below the places that were passed since: where the order is not known, nobody asks for it
  /// as long as states wait.
  void add_below_passed() {
    for (const Place& place : passed_)
      std::visit([this](auto id) { lookahead_.visit_below(id, [this](auto... below) { add(below...); }); }, place);
    passed_.clear();
  }

  Place take() {
    if (waiting_.empty() || (ordered_ && !better_.empty() && better_.front().h < waiting_.front().h)) {
      std::pop_heap(better_.begin(), better_.end());
      const Place place = better_.back().place;
      better_.pop_back();
      return place;
    }
    const StateId state = waiting_.front().state;
    waiting_ = waiting_.subspan(1);
    return state;
  }

  const Lookahead& lookahead_;
  std::span<const Awaited> waiting_;
  std::size_t column_ = 0;
  bool ordered_ = false;        // whether those that wait are, by values of the column
  Value bound_ = kDeadEnd;      // what is not better comes too late
  std::vector<Better> better_;  // a heap
  std::vector<Place> passed_;   // below which nothing was added yet
  std::size_t number_ = 0;
  std::int64_t left_ = 0;  // places to pass
};

}  // namespace banditplan
