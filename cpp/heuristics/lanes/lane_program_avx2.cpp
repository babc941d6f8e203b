#if defined(__AVX2__)

#define BANDITPLAN_ISA avx2
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kAvx2Program;
const LaneProgram kAvx2Program{.name = "avx2",
                               .sweep = &avx2::sweep,
                               .with_goal = &avx2::with_goal,
                               .extract = &avx2::extract,
                               .find_ties = &avx2::find_ties,
                               .any_above = &avx2::any_above,
                               .all_true = &avx2::all_true,
                               .differences = &avx2::differences};

}  // namespace banditplan

#endif
