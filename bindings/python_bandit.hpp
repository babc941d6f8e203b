#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "bandits/bandit.hpp"

/// A bandit written in Python: a function from `Arms` to a score per arm, of which the lowest wins.
struct PythonBandit : banditplan::Bandit {
  explicit PythonBandit(nanobind::object f) : function(std::move(f)) {}
  /// Called without the GIL; what the function raises passes through the search to its caller.
  std::size_t choose(const banditplan::Arms& arms, banditplan::Random& random) const override;

  nanobind::object function;
};

/// A bandit, or a function that becomes one.
std::shared_ptr<const banditplan::Bandit> to_bandit(nanobind::handle value);

void bind_python_bandit(nanobind::module_& module);
