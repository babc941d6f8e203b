#pragma once

#include <stdexcept>

#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_network.hpp"
#include "heuristics/relaxed_plan.hpp"

namespace banditplan {

/// What is read off the costs of facts.
enum class Estimate {
  max,           // hmax: the dearest goal
  add,           // hadd: the sum over the goals
  relaxed_plan,  // hFF: the actions of a relaxed plan
};

struct RelaxationOptions {
  Estimate estimate = Estimate::relaxed_plan;
  CostType cost = CostType::unit;
  PreferredType preferred = PreferredType::relaxed_plan;
};

/// A kernel was asked for that this machine does not have.
struct UnknownKernel : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// An evaluator that chooses its kernel by measured time; all kernels agree on every state. Vector lanes are prepared
/// once enough states have come. The environment variable BANDITPLAN_KERNEL (scalar, plain, avx2, avx512) forces one.
std::unique_ptr<Evaluator> make_relaxation(const Task& task, const RelaxationOptions& options, Monitor& monitor);

/// What an exploration takes, roughly, where the generation of a state takes 1: by what one of the initial state looks
/// at. The constants fit what was measured on a dozen domains.
std::int64_t relaxation_effort(const Task& task, Monitor& monitor);

/// What the heuristics of the delete relaxation have in common.
struct RelaxationHeuristic : Heuristic {
  bool safe() const override { return true; }
  std::int64_t effort(const Task& task, Monitor& monitor) const override { return relaxation_effort(task, monitor); }
};

/// The actions that have an effect on a fact; what `helpful` needs to know.
Lists<Id> adders_by_fact(const Task& task, Monitor& monitor);

}  // namespace banditplan
