#define BANDITPLAN_ISA plain
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kPlainProgram;
const LaneProgram kPlainProgram{"plain", &plain::sweep, &plain::extract, &plain::largest_cost, &plain::all_true};

}  // namespace banditplan
