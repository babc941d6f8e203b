#include <nanobind/nanobind.h>

#include "backups/full_bellman.hpp"
#include "backups/gaussian_minimum.hpp"
#include "backups/monte_carlo.hpp"
#include "bindings.hpp"
#include "component.hpp"

namespace nb = nanobind;
using namespace banditplan;

void bind_backups(nb::module_& module) {
  nb::class_<Backup>(module, "Backup", "What the leaves under a node say about its value.");

  Component<MonteCarlo, Backup>(module, "MonteCarlo", "monte_carlo",
                                "The mean of the leaves (Kocsis and Szepesvári 2006).")
      .done();
  Component<FullBellman, Backup>(module, "FullBellman", "full_bellman",
                                 "The minimum of the leaves that can still be selected (Schulte and Keller 2014).")
      .mark("*")
      .done();
  Component<GaussianMinimum, Backup>(
      module, "GaussianMinimum", "gaussian_minimum",
      "The least of the children, each a normal variable, with Clark's moments (Asai and Wissow 2026).")
      .mark("+")
      .done();
}
