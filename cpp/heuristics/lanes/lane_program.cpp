#include "heuristics/lanes/lane_program.hpp"

#include <cstring>
#include <iterator>

namespace banditplan {

extern const LaneProgram kPlainProgram;
#if defined(BANDITPLAN_X86_PROGRAMS)
extern const LaneProgram kAvx2Program;
extern const LaneProgram kAvx512Program;
#endif

namespace {

struct Choice {
  const LaneProgram* program;
  bool usable;
};

}  // namespace

const LaneProgram* find_lane_program(const char* name) {
#if defined(BANDITPLAN_X86_PROGRAMS)
  const Choice choices[] = {{&kAvx512Program, __builtin_cpu_supports("avx512bw") != 0},
                            {&kAvx2Program, __builtin_cpu_supports("avx2") != 0},
                            {&kPlainProgram, true}};
#else
  const Choice choices[] = {{&kPlainProgram, true}};
#endif
  for (const Choice& choice : choices)
    if (choice.usable && (!name || std::strcmp(name, choice.program->name) == 0)) return choice.program;
  return nullptr;
}

}  // namespace banditplan
