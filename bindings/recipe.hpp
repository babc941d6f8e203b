#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What Python knows of a kind of component, whatever its C++ type is: a pointer to void leads to one of them. What
/// does not depend on the type is done here, and compiled once.
struct Recipe {
  struct Option {
    std::string name, type, doc;
    std::string property;  // the type of the value, which may be less than what is accepted
    std::function<nanobind::object(const void*)> get;
    std::function<void(void*, nanobind::handle)> set;
    std::string family = {};                              // of components: texts that name one are accepted, too
    std::vector<std::pair<int, const char*>> names = {};  // of values that are numbers to `get` and `set`
    std::size_t most = 0;                                 // of a list: how many items it may have
    bool spread = false;                                  // of a list, as the first option: takes what has no name
  };

  /// How the constructor is called.
  std::string signature() const;
  /// Sets options as the constructor is told.
  void fill(void* self, const nanobind::args& args, const nanobind::kwargs& kwargs) const;

  std::string name, text, doc, home = "banditplan";
  std::shared_ptr<const void> (*fresh)();  // one with the defaults
  std::function<bool(const void*)> draws;
  std::vector<Option> options;
  nanobind::handle type;  // the class in Python
};

/// The first of several types.
std::string first_type(const std::string& type);

/// Gives the class all but its constructor, and puts it into the public API.
void define(nanobind::module_& module, std::shared_ptr<const Recipe> recipe);
