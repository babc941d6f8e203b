#include "python_bandit.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <vector>

#include "function_name.hpp"

namespace nb = nanobind;
using namespace banditplan;

namespace {

using Numbers = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

/// The arms as a Python function sees them; a copy, because the function may keep it.
struct PyArms {
  std::vector<Arm> arms;
  std::vector<Extremes> extremes;
  std::int64_t total;
};

bool has_numpy() {
  static const bool found = [] {
    try {
      nb::module_::import_("numpy");
      return true;
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_ImportError)) throw;
      return false;
    }
  }();
  return found;
}

/// A NumPy array, or a list where there is no NumPy.
template <auto kItems, auto kValue>
nb::object column(const PyArms& self) {
  auto values = std::make_unique<std::vector<double>>();
  for (const auto& item : self.*kItems) values->push_back(static_cast<double>(kValue(item)));
  if (!has_numpy()) return nb::cast(*values);
  std::vector<double>* data = values.release();
  nb::capsule owner(data, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(Numbers(data->data(), {data->size()}, owner));
}

std::vector<double> numbers(const nb::object& scores, std::size_t expected) {
  std::vector<double> result;
  for (nb::handle score : scores) {
    const double value = PyFloat_AsDouble(score.ptr());
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    if (std::isnan(value)) throw nb::value_error("the bandit returned a score that is not a number");
    result.push_back(value);
  }
  if (result.size() != expected)
    throw nb::value_error(
        ("the bandit returned " + std::to_string(result.size()) + " scores for " + std::to_string(expected) + " arms")
            .c_str());
  return result;
}

}  // namespace

std::size_t PythonBandit::choose(const Arms& arms, Random& random) const {
  PyArms shown{{}, {}, static_cast<std::int64_t>(arms.total)};
  for (const Arm& arm : arms.all) {
    if (!arms.offers(arm)) continue;
    shown.arms.push_back(arm);
    shown.extremes.push_back(arms.extremes_of(arm));
  }
  std::vector<double> scores(1, 0);
  if (const std::size_t offered = shown.arms.size(); offered > 1) {
    nb::gil_scoped_acquire gil;
    scores = numbers(function(nb::cast(std::move(shown))), offered);
  }
  std::size_t next = 0;
  return lowest(arms, random, [&](const Arm&) { return scores[next++]; });
}

std::shared_ptr<const Bandit> to_bandit(nb::handle value) {
  if (!nb::isinstance<Bandit>(value) && !PyType_Check(value.ptr()) && PyCallable_Check(value.ptr()))
    return std::make_shared<PythonBandit>(nb::borrow(value));
  return nb::cast<std::shared_ptr<const Bandit>>(value);
}

void bind_python_bandit(nb::module_& module) {
  auto signature = [](const char* name) { return std::string("def ") + name + "(self) -> typing.Any"; };
  nb::class_<PyArms>(module, "Arms", "What a bandit knows of the children it chooses among: NumPy arrays, or lists.")
      .def_prop_ro("count", &column<&PyArms::arms, [](const Arm& arm) { return arm.count; }>,
                   nb::sig(signature("count").c_str()), "Leaves under the child.")
      .def_prop_ro("mean", &column<&PyArms::arms, [](const Arm& arm) { return arm.estimate; }>,
                   nb::sig(signature("mean").c_str()),
                   "Of their h; under Full-Bellman, the minimum over those that are not locked.")
      .def_prop_ro("variance", &column<&PyArms::arms, [](const Arm& arm) { return arm.variance; }>,
                   nb::sig(signature("variance").c_str()), "Of the population.")
      .def_prop_ro("minimum", &column<&PyArms::extremes, [](const Extremes& of) { return of.minimum; }>,
                   nb::sig(signature("minimum").c_str()))
      .def_prop_ro("maximum", &column<&PyArms::extremes, [](const Extremes& of) { return of.maximum; }>,
                   nb::sig(signature("maximum").c_str()))
      .def_ro("total", &PyArms::total, "Leaves under the parent.")
      .def("__len__", [](const PyArms& self) { return self.arms.size(); });

  nb::class_<PythonBandit, Bandit>(module, "PythonBandit", "A bandit written in Python.")
      .def_prop_ro("function", [](const PythonBandit& self) { return self.function; })
      .def("__repr__", [](const PythonBandit& self) { return "python(" + function_name(self.function) + ")"; })
      .def(
          "__eq__",
          [](const PythonBandit& self, nb::handle other) {
            const PythonBandit* bandit = nullptr;
            return nb::try_cast(other, bandit) && bandit && bandit->function.is(self.function);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const PythonBandit& self) { return nb::hash(self.function); });
}
