#pragma once

#include <limits>

#include "heuristics/heuristic.hpp"

/// A value of an evaluator for Python; a dead end is inf.
inline double as_number(banditplan::Id value) {
  return value == banditplan::kDeadEnd ? std::numeric_limits<double>::infinity() : value;
}
