#pragma once

#include <algorithm>
#include <cstddef>

#include "heuristics/average.hpp"
#include "heuristics/lanes/lane_program.hpp"

namespace banditplan {

/// What a group of lanes takes. However few of them are used, it is a large part of what they take when all are: how
/// large differs from task to task. A line through what few and what many took tells it, each per operator of their
/// schedules, as there may be more of them at one time than at another.
class LaneSeconds {
 public:
  bool settled() const { return few_.seconds.settled() || many_.seconds.settled(); }

  /// What groups of so many states in all took, with so many operators.
  void enter(std::size_t states, std::size_t operators, double seconds) {
    const auto groups = static_cast<double>((states + kLanes - 1) / kLanes);
    const double mean = static_cast<double>(states) / groups;
    Point& point = 2 * mean <= kLanes ? few_ : many_;
    point.states.enter(mean);
    point.seconds.enter(seconds / groups / scale(operators));
  }

  /// What they will take.
  double of(std::size_t states, std::size_t operators) const {
    const std::size_t rest = states % kLanes;
    return scale(operators) *
           (static_cast<double>(states / kLanes) * of_group(kLanes) + (rest > 0 ? of_group(rest) : 0));
  }

 private:
  struct Point {
    Average states, seconds;
  };
  static constexpr double kEmpty = 0.7;  // what no state would take, if 32 take 1: as long as one point is not known

  static double scale(std::size_t operators) { return static_cast<double>(operators + 1); }

  double of_group(std::size_t count) const {
    const auto states = static_cast<double>(count);
    if (!few_.seconds.settled() || !many_.seconds.settled()) {
      const Point& known = many_.seconds.settled() ? many_ : few_;
      const auto share = [](double used) { return kEmpty + (1 - kEmpty) * used / kLanes; };
      return known.seconds.value * share(states) / share(known.states.value);
    }
    const double slope = (many_.seconds.value - few_.seconds.value) / (many_.states.value - few_.states.value);
    const double most = many_.seconds.value / many_.states.value;  // no state would take nothing
    return many_.seconds.value + std::clamp(slope, 0.0, most) * (states - many_.states.value);
  }

  Point few_, many_;
};

}  // namespace banditplan
