#include "python_heuristic.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "function_name.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// The value of one state; raises ValueError for what is no estimate.
Id read_value(nb::handle value) {
  if (value.is_none()) return kDeadEnd;
  const double number = nb::cast<double>(nb::float_(value));
  if (std::isinf(number) && number > 0) return kDeadEnd;
  if (!(number >= 0) || number > 1e9)
    throw nb::value_error(
        ("a heuristic value must be None, inf, or from 0 to 1e9, not " + nb::cast<std::string>(nb::repr(value)))
            .c_str());
  return static_cast<Id>(std::lround(number));
}

class PythonEvaluator : public Evaluator {
 public:
  PythonEvaluator(TaskHandle data, nb::object function) : data_(std::move(data)), function_(std::move(function)) {}
  ~PythonEvaluator() override {
    nb::gil_scoped_acquire gil;
    function_.reset();
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    nb::gil_scoped_acquire gil;
    const nb::object given = function_(PyStates{data_, {states.begin(), states.end()}, values.size()});
    std::size_t count = 0;
    for (nb::handle value : given) {
      if (count < values.size()) values[count] = read_value(value);
      if (++count > kMostExtra + values.size()) break;  // it may never end
    }
    if (count != values.size())
      throw nb::value_error(("a heuristic returned " +
                             (count > kMostExtra + values.size() ? "too many" : std::to_string(count)) +
                             " values for " + std::to_string(values.size()) + " states")
                                .c_str());
    for (std::size_t i = 0; preferred && i < values.size(); ++i) preferred->close();
  }
  bool looks_ahead() const override { return false; }

 private:
  static constexpr std::size_t kMostExtra = 1000;

  TaskHandle data_;
  nb::object function_;
};

}  // namespace

PythonHeuristic::~PythonHeuristic() {
  nb::gil_scoped_acquire gil;
  function.reset();
}

/// A method is a new object whenever it is asked for: functions are compared, not objects.
bool PythonHeuristic::same(const Heuristic& other) const {
  const auto* python = dynamic_cast<const PythonHeuristic*>(&other);
  if (!python) return false;
  nb::gil_scoped_acquire gil;
  return python->function.equal(function);
}

Heuristic::Bound PythonHeuristic::bind(const Task& task, Monitor&) const {
  nb::gil_scoped_acquire gil;
  return std::make_unique<PythonEvaluator>(TaskData::of(task), function);
}

std::shared_ptr<const Heuristic> to_heuristic(nb::handle value) {
  if (nb::isinstance<Heuristic>(value)) return nb::cast<std::shared_ptr<const Heuristic>>(value);
  if (PyType_Check(value.ptr()) || !PyCallable_Check(value.ptr())) throw nb::cast_error();
  return std::make_shared<PythonHeuristic>(nb::borrow(value));
}

void bind_python_heuristic(nb::module_& module) {
  nb::class_<PythonHeuristic, Heuristic>(
      module, "PythonHeuristic",
      "A heuristic written in Python: a function from `States` to a value per state, "
      "called once per batch; None or inf is a dead end. Values are rounded to whole "
      "numbers. Wherever a heuristic is expected, the bare function will do.")
      .def(
          "__init__",
          [](PythonHeuristic* self, nb::callable function) { new (self) PythonHeuristic(std::move(function)); },
          "function"_a,
          nb::sig("def __init__(self, function: collections.abc.Callable[[States], "
                  "collections.abc.Iterable[float | None]]) -> None"))
      .def("__repr__", [](const PythonHeuristic& self) { return "python(" + function_name(self.function) + ")"; })
      .def(
          "__eq__",
          [](const PythonHeuristic& self, nb::handle other) {
            const PythonHeuristic* heuristic = nullptr;
            return nb::try_cast(other, heuristic) && heuristic && heuristic->function.equal(self.function);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const PythonHeuristic& self) { return nb::hash(self.function); });
}
