#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings.hpp"
#include "component.hpp"
#include "heuristics/ff.hpp"

namespace nb = nanobind;
using namespace banditplan;

void bind_heuristics(nb::module_& module) {
  nb::class_<Heuristic>(module, "Heuristic", "An estimate of how far the goal is.");
  Component<Ff, Heuristic>(
      module, "Ff", "ff",
      "hFF (Hoffmann and Nebel 2001): the size of a relaxed plan, along the best supporters of hadd.")
      .done();
}
