#if defined(__AVX2__)

#define BANDITPLAN_ISA avx2
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kAvx2Program;
const LaneProgram kAvx2Program{"avx2", &avx2::sweep, &avx2::extract, &avx2::largest_cost, &avx2::all_true};

}  // namespace banditplan

#endif
