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
  /// How a member of a component is read and set.
  struct Access {
    std::function<nanobind::object(const void*)> get;
    std::function<void(void*, nanobind::handle)> set;
  };

  struct Option {
    std::string name, type, doc;
    std::string property;  // the type of the value, which may be less than what is accepted
    Access access;
    std::ptrdiff_t place;                                 // of the member in the component, in bytes
    std::string family = {};                              // of components: texts that name one are accepted, too
    std::vector<std::pair<int, const char*>> names = {};  // of values that are numbers to `get` and `set`
    std::size_t most = 0;                                 // of a list: how many items it may have
    bool spread = false;                                  // of a list, as the first option: takes what has no name
  };

  void add_option(const char* name, const std::string& type, const char* doc, bool is_component, Access access,
                  std::ptrdiff_t place);
  void add_list(const char* name, const std::string& type, const char* doc, bool of_components, Access access,
                std::ptrdiff_t place, bool spread, std::size_t most);
  void add_choice(const char* name, std::vector<std::pair<int, const char*>> names, const char* doc, Access access,
                  std::ptrdiff_t place);
  /// Gives the class an attribute.
  void attribute(const char* name, const char* text) const;

  /// How the constructor is called.
  std::string signature() const;
  /// Sets options as the constructor is told.
  void fill(void* self, const nanobind::args& args, const nanobind::kwargs& kwargs) const;

  static bool always(const void*) { return true; }
  static bool never(const void*) { return false; }

  std::string name, text, doc, home = "banditplan";
  std::function<bool(const void*)> draws = &never;
  std::vector<Option> options;
  nanobind::handle type;  // the class in Python
};

/// The first of several types.
std::string first_type(const std::string& type);

std::shared_ptr<Recipe> new_recipe(const char* name, const char* text, const char* doc, nanobind::handle type);

/// Gives the class all but its constructor, and puts it into the public API.
void define(nanobind::module_& module, std::shared_ptr<const Recipe> recipe);
