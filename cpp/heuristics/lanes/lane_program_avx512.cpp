#if defined(__AVX512BW__)

#define BANDITPLAN_ISA avx512
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kAvx512Program;
const LaneProgram kAvx512Program{.name = "avx512",
                                 .sweep = &avx512::sweep,
                                 .with_goal = &avx512::with_goal,
                                 .extract = &avx512::extract,
                                 .find_ties = &avx512::find_ties,
                                 .any_above = &avx512::any_above,
                                 .all_true = &avx512::all_true,
                                 .differences = &avx512::differences};

}  // namespace banditplan

#endif
