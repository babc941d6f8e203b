#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "states/batches.hpp"
#include "task_handle.hpp"

/// States as an array, a row per state, a column per variable.
using StateArray =
    nanobind::ndarray<const banditplan::Id, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// Raises ValueError unless the rows are states: their values must be in range. Derived variables are taken as given.
void check_rows(const banditplan::Task& task, const StateArray& states);

/// States that actions lead to, as Python sees them.
struct PyTransitions {
  TaskHandle data;
  banditplan::Transitions found;
};
