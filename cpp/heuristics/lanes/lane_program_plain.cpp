#define BANDITPLAN_ISA plain
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kPlainProgram;
const LaneProgram kPlainProgram{.name = "plain",
                                .sweep = &plain::sweep,
                                .count_steps = &plain::count_steps,
                                .extract = &plain::extract,
                                .largest_cost = &plain::largest_cost,
                                .all_true = &plain::all_true};

}  // namespace banditplan
