#include "python_heuristic.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

/// A batch of states, as Python sees it.
struct PyStates {
  TaskHandle data;
  std::vector<Id> values;  // one state after the other
  std::size_t count;

  std::size_t width() const { return data->task.variables.size(); }
};

PyState state_at(const PyStates& states, Py_ssize_t index) {
  const auto count = static_cast<Py_ssize_t>(states.count);
  if (index < 0) index += count;
  if (index < 0 || index >= count) throw nb::index_error();
  const auto begin = states.values.begin() + index * static_cast<Py_ssize_t>(states.width());
  return {states.data, {begin, begin + static_cast<Py_ssize_t>(states.width())}};
}

using Matrix = nb::ndarray<nb::numpy, const Id, nb::ndim<2>>;

Matrix matrix(nb::handle_t<PyStates> self) {
  const PyStates& states = *nb::inst_ptr<PyStates>(self);
  return Matrix(states.values.data(), {states.count, states.width()}, self);
}

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
    std::size_t next = 0;
    for (nb::handle value : given) {
      if (next == values.size()) break;
      values[next++] = read_value(value);
    }
    if (next != values.size() || nb::len(given) != next)
      throw nb::value_error(("a heuristic returned " + std::to_string(nb::len(given)) + " values for " +
                             std::to_string(values.size()) + " states")
                                .c_str());
    for (std::size_t i = 0; preferred && i < values.size(); ++i) preferred->close();
  }

 private:
  TaskHandle data_;
  nb::object function_;
};

}  // namespace

PythonHeuristic::~PythonHeuristic() {
  nb::gil_scoped_acquire gil;
  function.reset();
}

std::unique_ptr<Evaluator> PythonHeuristic::bind(const Task& task, Monitor&) const {
  nb::gil_scoped_acquire gil;
  return std::make_unique<PythonEvaluator>(TaskData::of(task), function);
}

std::shared_ptr<const Heuristic> to_heuristic(nb::handle value) {
  if (nb::isinstance<Heuristic>(value)) return nb::cast<std::shared_ptr<const Heuristic>>(value);
  if (!PyCallable_Check(value.ptr())) throw nb::cast_error();
  return std::make_shared<PythonHeuristic>(nb::borrow(value));
}

void bind_python_heuristic(nb::module_& module) {
  nb::class_<PyStates>(module, "States", "A batch of states, as a heuristic written in Python gets it.")
      .def("__len__", [](const PyStates& states) { return states.count; })
      .def("__getitem__", &state_at, "index"_a)
      .def_prop_ro("values", &matrix,
                   "A NumPy array of the variables' values, a row per state; it shares memory with the batch.");

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
      .def("__repr__", [](const PythonHeuristic& self) {
        return "python(" +
               nb::cast<std::string>(nb::str(nb::getattr(self.function, "__qualname__", nb::repr(self.function)))) +
               ")";
      });
}
