#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The compiled core of banditplan: grounding, heuristics, searches.";
  bind_task(module);
  bind_ground(module);
  bind_heuristics(module);
  bind_searches(module);
}
