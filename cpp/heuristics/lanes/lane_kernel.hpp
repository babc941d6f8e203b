#pragma once

#include <optional>

#include "heuristics/lanes/lane_program.hpp"
#include "heuristics/relaxation.hpp"

namespace banditplan {

/// Knows how fast it is.
class TimedEvaluator : public Evaluator {
 public:
  /// What it would take to evaluate so many states, by experience.
  virtual std::optional<double> seconds(std::size_t states) const = 0;
};

/// Evaluates up to 32 states at once, one per lane, with unit costs. States whose costs might exceed 16 bits are left
/// to `exact`.
std::unique_ptr<TimedEvaluator> make_lane_kernel(const Task& task, const RelaxedNetwork& network,
                                                 const RelaxationOptions& options, const LaneProgram& program,
                                                 Evaluator& exact, Monitor& monitor);

}  // namespace banditplan
