#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// The values of an enumeration with their names in Python.
template <class Enum, std::size_t kCount>
using Names = std::array<std::pair<Enum, const char*>, kCount>;

/// Registers a recipe as a Python class. One line per option: its default is the C++ member's initialiser, and
/// constructor, property, repr and equality follow.
///
///   Component<Gbfs, Search>(module, "Gbfs", "gbfs", "Greedy best-first search …")
///       .option("heuristic", &Gbfs::heuristic, "Heuristic", "what to minimise")
///       .done();
template <class T, class Base>
class Component {
 public:
  /// `text`: the name of the component in a search text.
  Component(nanobind::module_& module, const char* name, const char* text, const char* doc)
      : class_(module, name, doc), name_(name), text_(text) {}

  /// `convert` reads a Python value, where more or less is accepted than the member's type.
  template <class Member, class Owner>
  Component& option(const char* name, Member Owner::* member, const char* type, const char* doc,
                    Member (*convert)(nanobind::handle) = &from_python<Member>) {
    class_.def_prop_ro(name, [member](const T& self) { return self.*member; }, doc);
    Option option;
    option.name = name;
    option.type = type;
    option.get = [member](const T& self) { return nanobind::cast(self.*member); };
    option.set = [member, convert](T& self, nanobind::handle value) {
      if (value.is_none()) throw nanobind::cast_error();
      self.*member = convert(value);
    };
    options_.push_back(std::move(option));
    return *this;
  }

  /// An option whose values are named by strings.
  template <class Enum, class Owner, std::size_t kCount>
  Component& choice(const char* name, Enum Owner::* member, const Names<Enum, kCount>& names, const char* doc) {
    auto name_of = [names, member](const T& self) {
      for (const auto& [value, text] : names)
        if (self.*member == value) return text;
      return "";
    };
    std::string type = "typing.Literal[";
    for (const auto& [value, text] : names) type += (type.back() == '[' ? "'" : ", '") + std::string(text) + "'";
    type += "]";
    class_.def_prop_ro(name, name_of, nanobind::sig(("def " + std::string(name) + "(self) -> " + type).c_str()), doc);
    Option option;
    option.name = name;
    option.type = type;
    option.get = [name_of](const T& self) { return nanobind::cast(name_of(self)); };
    option.set = [names, member](T& self, nanobind::handle given) {
      const auto text = nanobind::cast<std::string>(given);
      for (const auto& [value, known] : names)
        if (text == known) {
          self.*member = value;
          return;
        }
      throw nanobind::cast_error();
    };
    options_.push_back(std::move(option));
    return *this;
  }

  void done() {
    std::string signature = "def __init__(self";
    for (const Option& option : options_) signature += ", " + option.name + ": " + option.type + " = ...";
    signature += ") -> None";
    class_.def(
        "__init__",
        [options = options_, text = text_](T* self, nanobind::args args, nanobind::kwargs kwargs) {
          new (self) T();
          fill(*self, options, text, args, kwargs);
        },
        nanobind::sig(signature.c_str()));
    class_.def("__repr__",
               [options = options_, text = text_](const T& self) { return call(self, options, text, true); });
    class_.def(
        "__str__", [options = options_, text = text_](const T& self) { return call(self, options, text, false); },
        "As repr, without the options that have their defaults.");
    class_.def(
        "__eq__",
        [](nanobind::handle self, nanobind::handle other) {
          return self.type().is(other.type()) && nanobind::repr(self).equal(nanobind::repr(other));
        },
        nanobind::sig("def __eq__(self, other: object, /) -> bool"));
    class_.def("__hash__", [](nanobind::handle self) { return nanobind::hash(nanobind::repr(self)); });
    class_.def(
        "with_options",
        [options = options_, text = text_](const T& self, const nanobind::kwargs& kwargs) {
          T copy = self;
          fill(copy, options, text, {}, kwargs);
          return copy;
        },
        nanobind::sig(("def with_options(self, **options: typing.Any) -> " + name_).c_str()),
        "A copy with other options.");
    class_.attr("text") = text_;
  }

 private:
  struct Option {
    std::string name, type;
    std::function<nanobind::object(const T&)> get;
    std::function<void(T&, nanobind::handle)> set;
  };

  template <class Member>
  static Member from_python(nanobind::handle value) {
    return nanobind::cast<Member>(value);
  }

  /// The text that makes the component anew; with or without the options that have their defaults.
  static std::string call(const T& self, const std::vector<Option>& options, const std::string& text, bool all) {
    std::string result;
    for (const Option& option : options) {
      const nanobind::object value = option.get(self);
      if (!all && nanobind::repr(value).equal(nanobind::repr(option.get(T())))) continue;
      const bool quoted = all || nanobind::isinstance<nanobind::str>(value);
      result += (result.empty() ? "" : ", ") + option.name + "=" +
                nanobind::cast<std::string>(quoted ? nanobind::repr(value) : nanobind::str(value));
    }
    return all || !result.empty() ? text + "(" + result + ")" : text;
  }

  static void fill(T& self, const std::vector<Option>& options, const std::string& text, const nanobind::args& args,
                   const nanobind::kwargs& kwargs) {
    if (args.size() > options.size())
      throw nanobind::type_error((text + " takes at most " + std::to_string(options.size()) + " options").c_str());
    for (std::size_t i = 0; i < args.size(); ++i) set(self, options[i], text, args[i]);
    for (auto [key, value] : kwargs) {
      const auto name = nanobind::cast<std::string>(key);
      const Option* found = nullptr;
      std::string known;
      for (std::size_t i = 0; i < options.size(); ++i) {
        if (options[i].name == name) {
          found = &options[i];
          if (i < args.size()) throw nanobind::type_error((text + ": " + name + " is given twice").c_str());
        }
        known += (known.empty() ? "" : ", ") + options[i].name;
      }
      if (!found) throw nanobind::type_error((text + " has no option \"" + name + "\"; it has: " + known).c_str());
      set(self, *found, text, value);
    }
  }

  static void set(T& self, const Option& option, const std::string& text, nanobind::handle value) {
    try {
      option.set(self, value);
    } catch (const nanobind::cast_error&) {
      // The first alternative says it: a search text has no functions.
      const std::string type = option.type.substr(0, option.type.find(" | "));
      throw nanobind::type_error((text + ": " + option.name + " must be of type " + type + ", not " +
                                  nanobind::cast<std::string>(nanobind::repr(value)))
                                     .c_str());
    }
  }

  nanobind::class_<T, Base> class_;
  std::string name_, text_;
  std::vector<Option> options_;
};
