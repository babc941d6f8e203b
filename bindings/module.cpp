#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The compiled core of banditplan: grounding, heuristics, bandits, searches.";
  // A search with a Python function, both globals of one module, is a cycle that is never collected: no harm at exit.
  nanobind::set_leak_warnings(false);
  module.attr("__all__") = nanobind::list();  // the components whose home is the first module
  bind_states(module);
  bind_task(module);
  bind_ground(module);
  bind_heuristics(module);
  bind_bandits(module);
  bind_backups(module);
  bind_open_lists(module);
  bind_searches(module);
  bind_landmarks(module);
  bind_novelty(module);
  bind_parts(module);
  bind_play(module);
  bind_observe(module);
  bind_anytime(module);
  bind_replan(module);
}
