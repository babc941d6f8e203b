#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "heuristics/heuristic.hpp"

/// A heuristic written in Python: a function from `States` to a value per state; None or inf is a dead end.
struct PythonHeuristic : banditplan::Heuristic {
  explicit PythonHeuristic(nanobind::object f) : function(std::move(f)) {}
  ~PythonHeuristic() override;
  std::unique_ptr<banditplan::Evaluator> bind(const banditplan::Task& task,
                                              banditplan::Monitor& monitor) const override;
  /// What Python calls a dead end is no proof.
  bool safe() const override { return false; }

  nanobind::object function;
};

/// A heuristic, or a function that becomes one.
std::shared_ptr<const banditplan::Heuristic> to_heuristic(nanobind::handle value);

void bind_python_heuristic(nanobind::module_& module);
