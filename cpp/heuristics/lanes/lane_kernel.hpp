#pragma once

#include "heuristics/lanes/lane_program.hpp"
#include "heuristics/relaxation.hpp"

namespace banditplan {

/// Evaluates up to 32 states at once, one per lane, with unit costs. States whose costs might exceed 16 bits are left
/// to `exact`.
std::unique_ptr<Evaluator> make_lane_kernel(const Task& task, const RelaxedNetwork& network,
                                            const RelaxationOptions& options, const LaneProgram& program,
                                            Evaluator& exact, Monitor& monitor);

}  // namespace banditplan
