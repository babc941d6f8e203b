#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "component.hpp"
#include "open_lists/bucket.hpp"
#include "task/action_cost.hpp"

/// What several families of components have in common.

constexpr const char* kHeuristicType =
    "Heuristic | collections.abc.Callable[[States], collections.abc.Iterable[float | None]]";
constexpr const char* kBanditType = "Bandit | collections.abc.Callable[[Arms], collections.abc.Iterable[float]]";

constexpr Names<banditplan::CostType, 3> kCosts{{{banditplan::CostType::unit, "unit"},
                                                 {banditplan::CostType::plan, "plan"},
                                                 {banditplan::CostType::plusone, "plusone"}}};

constexpr Names<banditplan::Ties, 3> kTies{
    {{banditplan::Ties::fifo, "fifo"}, {banditplan::Ties::lifo, "lifo"}, {banditplan::Ties::random, "random"}}};

/// A whole number between two bounds.
inline std::int64_t whole(nanobind::handle value, std::int64_t least, std::int64_t most, const char* what) {
  const auto number = nanobind::cast<std::int64_t>(value);
  if (number < least || number > most)
    throw nanobind::value_error(
        (std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most)).c_str());
  return number;
}
inline std::int64_t narrow_width(nanobind::handle value) { return whole(value, 1, 2, "width"); }

/// A number that must fulfil a condition.
inline double number(nanobind::handle value, bool (*is_right)(double), const char* complaint) {
  const auto result = nanobind::cast<double>(value);
  if (!is_right(result))
    throw nanobind::value_error(
        (std::string(complaint) + ", not " + nanobind::cast<std::string>(nanobind::repr(value))).c_str());
  return result;
}
inline double weight_from(nanobind::handle value) {
  return number(value, [](double x) { return x >= 0 && x <= 1e6; }, "weight must be from 0 to 1e6");
}
inline double temperature_from(nanobind::handle value) {
  return number(value, [](double x) { return x > 0; }, "temperature must be greater than 0");
}
inline double epsilon_from(nanobind::handle value) {
  return number(value, [](double x) { return x >= 0 && x <= 1; }, "epsilon must be from 0 to 1");
}
