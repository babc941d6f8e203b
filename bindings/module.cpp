#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The compiled core of banditplan: grounding, heuristics, bandits, searches.";
  bind_task(module);
  bind_ground(module);
  bind_heuristics(module);
  bind_bandits(module);
  bind_backups(module);
  bind_searches(module);
  bind_observe(module);
}
