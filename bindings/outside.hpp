#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "monitor.hpp"

/// Is told evaluations, expansions and the best h so far.
using Report = nanobind::typed<nanobind::callable, void(std::int64_t, std::int64_t, std::optional<std::int64_t>)>;

/// The outside world of a call into the core: limits, Ctrl-C, and a Python function that is told the progress.
class Outside {
 public:
  /// `deadline`: on the clock of `time.monotonic()`. `report(evaluations, expansions, best_h)` is called ten times a
  /// second at the most.
  Outside(std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb, std::optional<Report> report);

  banditplan::Monitor monitor;

  /// After the call, with the GIL held: raises what a signal handler or `report` raised.
  void raise_if_failed();
  /// The same, but Ctrl-C is not raised: the result of the call says that it was interrupted.
  void raise_unless_interrupted();

 private:
  bool look(const banditplan::Progress& progress);

  std::optional<Report> report_;
  std::chrono::steady_clock::time_point last_report_;
  nanobind::object error_;
};

/// Does some work that can be long, without the GIL; raises what a signal handler raises meanwhile.
template <class Work>
auto interruptible(Outside& outside, Work&& work) {
  try {
    nanobind::gil_scoped_release release;
    return work(outside.monitor);
  } catch (const banditplan::Stopped&) {
  }
  outside.raise_if_failed();
  throw std::logic_error("work without limits was stopped");
}
template <class Work>
auto interruptible(Work&& work) {
  Outside outside({}, {}, {});
  return interruptible(outside, work);
}
