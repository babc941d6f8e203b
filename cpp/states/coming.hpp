#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "states/search_space.hpp"

namespace banditplan {

/// A state that waits, and the value by which it is ordered, if that is one of a heuristic alone.
struct Awaited {
  StateId state;
  Value h;  // or kUnknown

  static constexpr Value kUnknown = -1;
};

/// States that will probably be expanded next, the most probable one first, as a frontier tells them; closed ones are
/// passed over.
class Coming {
 public:
  /// Fills `states`, which must live as long as this, with at most so many, of which there must be one. Values of this
  /// column are wanted.
  Coming(const SearchSpace& space, std::size_t most, std::size_t column, std::vector<Awaited>& states)
      : space_(space), states_(states), most_(most), column_(column), left_(kClosedPerState * most) {
    states_.clear();
  }

  std::size_t most() const { return most_; }
  std::size_t column() const { return column_; }
  std::span<const Awaited> states() const { return states_; }
  /// Whether states wait that were not taken note of.
  bool others_follow() const { return others_follow_; }
  void let_others_follow() { others_follow_ = true; }
  /// After so many expansions nobody knows what comes.
  std::int64_t horizon() const { return horizon_; }
  void end_after(std::int64_t expansions) { horizon_ = expansions; }

  /// Takes note of a state; whether another one is wanted.
  bool take(const Awaited& awaited) {
    if (!space_.closed(awaited.state)) states_.push_back(awaited);
    const bool wanted = states_.size() < most_ && --left_ > 0;
    others_follow_ = others_follow_ || !wanted;
    return wanted;
  }
  /// The same of one that is ordered by something else than a value alone, or by that of a column.
  bool take(StateId state) { return take({state, Awaited::kUnknown}); }
  bool take(StateId state, std::size_t column, Value h) {
    return take({state, column == column_ ? h : Awaited::kUnknown});
  }

 private:
  static constexpr std::size_t kClosedPerState = 8;  // so many are passed over, at the most

  const SearchSpace& space_;
  std::vector<Awaited>& states_;
  std::size_t most_;
  std::size_t column_;
  std::size_t left_;  // to look at
  bool others_follow_ = false;
  std::int64_t horizon_ = std::numeric_limits<std::int64_t>::max();  // expansions
};

}  // namespace banditplan
