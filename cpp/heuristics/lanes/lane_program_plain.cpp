#define BANDITPLAN_ISA plain
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kPlainProgram;
const LaneProgram kPlainProgram{.name = "plain",
                                .sweep = &plain::sweep,
                                .with_goal = &plain::with_goal,
                                .extract = &plain::extract,
                                .find_ties = &plain::find_ties,
                                .any_above = &plain::any_above,
                                .all_true = &plain::all_true,
                                .differences = &plain::differences};

}  // namespace banditplan
