#pragma once

#include <nanobind/nanobind.h>

void bind_task(nanobind::module_& module);
void bind_ground(nanobind::module_& module);
void bind_heuristics(nanobind::module_& module);
void bind_searches(nanobind::module_& module);
