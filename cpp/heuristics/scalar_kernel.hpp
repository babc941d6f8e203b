#pragma once

#include "heuristics/relaxation.hpp"

namespace banditplan {

/// Evaluates one state after the other, with all features.
std::unique_ptr<Evaluator> make_scalar_kernel(const Task& task, const RelaxedNetwork& network,
                                              const RelaxationOptions& options, Monitor& monitor);

}  // namespace banditplan
