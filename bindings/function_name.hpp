#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

/// A name for a Python function in texts: its module and its name; one without a name of its own has its line, too.
inline std::string function_name(nanobind::handle function) {
  namespace nb = nanobind;
  const nb::object name = nb::getattr(function, "__qualname__", nb::none());
  if (name.is_none()) return nb::cast<std::string>(nb::repr(function));
  const nb::object module = nb::getattr(function, "__module__", nb::str("?"));
  std::string text = nb::cast<std::string>(nb::str(module)) + "." + nb::cast<std::string>(nb::str(name));
  const nb::object code = nb::getattr(function, "__code__", nb::none());
  if (text.ends_with("<lambda>") && !code.is_none())
    text += ":" + std::to_string(nb::cast<int>(nb::object(code.attr("co_firstlineno"))));
  return text;
}
