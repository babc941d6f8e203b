#pragma once

#include <nanobind/nanobind.h>

void bind_states(nanobind::module_& module);
void bind_task(nanobind::module_& module);
void bind_ground(nanobind::module_& module);
void bind_heuristics(nanobind::module_& module);
void bind_bandits(nanobind::module_& module);
void bind_backups(nanobind::module_& module);
void bind_open_lists(nanobind::module_& module);
void bind_searches(nanobind::module_& module);
void bind_landmarks(nanobind::module_& module);
void bind_novelty(nanobind::module_& module);
void bind_parts(nanobind::module_& module);
void bind_play(nanobind::module_& module);
void bind_observe(nanobind::module_& module);
void bind_anytime(nanobind::module_& module);
void bind_replan(nanobind::module_& module);
