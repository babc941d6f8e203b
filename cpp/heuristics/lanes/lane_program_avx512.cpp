#if defined(__AVX512BW__)

#define BANDITPLAN_ISA avx512
#include "heuristics/lanes/lane_program_impl.hpp"

namespace banditplan {

extern const LaneProgram kAvx512Program;
const LaneProgram kAvx512Program{"avx512", &avx512::sweep, &avx512::extract, &avx512::largest_cost, &avx512::all_true};

}  // namespace banditplan

#endif
