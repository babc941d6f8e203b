#include "outside.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <utility>

namespace nb = nanobind;
using namespace std::chrono_literals;
using banditplan::Monitor;
using banditplan::Progress;

Outside::Outside(std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb,
                 std::optional<Report> report)
    : report_(std::move(report)), last_report_(Monitor::Clock::now()) {
  if (deadline) {
    // The two clocks may differ in their zero: only what is left counts.
    const double now = nb::cast<double>(nb::module_::import_("time").attr("monotonic")());
    const auto left = std::chrono::duration<double>(std::max(0.0, *deadline - now));
    monitor.deadline = Monitor::Clock::now() + std::chrono::duration_cast<Monitor::Clock::duration>(left);
  }
  monitor.memory_limit_kb = memory_limit_kb;
  monitor.poll = [this](const Progress& progress) { return look(progress); };
}

bool Outside::look(const Progress& progress) {
  if (error_.is_valid()) return false;
  nb::gil_scoped_acquire gil;
  bool ok = PyErr_CheckSignals() == 0;
  const auto now = Monitor::Clock::now();
  if (ok && report_ && now - last_report_ >= 100ms) {
    last_report_ = now;
    try {
      (*report_)(progress.evaluations, progress.expansions, progress.best_h);
    } catch (nb::python_error& error) {
      error.restore();
      ok = false;
    }
  }
  if (!ok) {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback) PyException_SetTraceback(value, traceback);
    error_ = nb::steal(value);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
  }
  return ok;
}

void Outside::raise_if_failed() {
  if (!error_.is_valid()) return;
  const nb::object error = std::exchange(error_, nb::object());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void Outside::raise_unless_interrupted() {
  if (error_.is_valid() && PyErr_GivenExceptionMatches(error_.ptr(), PyExc_KeyboardInterrupt)) return;
  raise_if_failed();
}
