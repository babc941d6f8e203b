#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The values of an enumeration with their names in Python.
template <class Enum, std::size_t kCount>
using Names = std::array<std::pair<Enum, const char*>, kCount>;

/// Whether an option holds another component.
template <class Member>
constexpr bool kIsComponent = false;
template <class T>
constexpr bool kIsComponent<std::shared_ptr<T>> = true;

/// A component in the place of its text, which is read as `--search` reads it; other values stay what they are. `type`
/// begins with the name of the family.
inline nanobind::object component_of(nanobind::handle value, const std::string& type) {
  if (!nanobind::isinstance<nanobind::str>(value)) return nanobind::borrow(value);
  return nanobind::module_::import_("banditplan.components.spec").attr("parse_component")(value, type);
}

/// Registers a recipe as a Python class. One line per option: its default is the C++ member's initialiser, and
/// constructor, property, repr, equality and what `banditplan components NAME` says follow; so does its place in the
/// public API. The doc names the paper, if there is one, in parentheses.
///
///   Component<Gbfs, Search>(module, "Gbfs", "gbfs", "Greedy best-first search …")
///       .option("heuristic", &Gbfs::heuristic, "Heuristic", "what to minimise")
///       .done();
template <class T, class Base>
class Component {
 public:
  /// `text`: the name of the component in a search text.
  Component(nanobind::module_& module, const char* name, const char* text, const char* doc)
      : module_(module), class_(module, name, doc), name_(name), text_(text), doc_(doc) {}

  /// The module in whose public API it is, if it is not the first one.
  Component& home(const char* module) {
    home_ = module;
    return *this;
  }

  /// It draws random numbers: always, or with some options only. What its parts draw, they say themselves.
  Component& draws(bool (*condition)(const T&) = [](const T&) { return true; }) {
    draws_ = condition;
    return *this;
  }

  /// Of a bandit: what its scores are, and how they are computed from the estimate (Ê), σ, n and T, for those who
  /// explain.
  Component& score(const char* kind, const char* formula) {
    class_.attr("score") = kind;
    class_.attr("formula") = formula;
    return *this;
  }

  /// Of a bandit: what the papers call a tree search with it.
  Component& tree(const char* name) {
    class_.attr("tree") = name;
    return *this;
  }

  /// Of a backup: what the papers put behind the name of a tree search with it.
  Component& mark(const char* sign) {
    class_.attr("mark") = sign;
    return *this;
  }

  /// `convert` reads a Python value, where more or less is accepted than the member's type, and `show` makes one.
  template <class Member, class Owner>
  Component& option(const char* name, Member Owner::* member, const char* type, const char* doc,
                    Member (*convert)(nanobind::handle) = &from_python<Member>,
                    nanobind::object (*show)(const Member&) = &to_python<Member>) {
    if (show == &to_python<Member>)
      class_.def_prop_ro(name, [member](const T& self) { return self.*member; }, doc);
    else
      class_.def_prop_ro(
          name, [member, show](const T& self) { return show(self.*member); },
          nanobind::sig(("def " + std::string(name) + "(self) -> " + type).c_str()), doc);
    options_.push_back({.name = name,
                        .type = accepted<Member>(type),
                        .doc = doc,
                        .get = [member, show](const T& self) { return show(self.*member); },
                        .set =
                            [member, convert, type = std::string(type)](T& self, nanobind::handle value) {
                              if (value.is_none()) throw nanobind::cast_error();
                              self.*member = converted(value, type, convert);
                            }});
    return *this;
  }

  /// An option that is a list of `most` items at the most. As the first one, with `spread`, it takes all arguments that
  /// have no name.
  template <class Item, class Owner>
  Component& list(const char* name, std::vector<Item> Owner::* member, const char* type, const char* doc,
                  Item (*convert)(nanobind::handle), bool spread = false,
                  std::size_t most = std::numeric_limits<std::size_t>::max()) {
    auto get = [member](const T& self) {
      nanobind::list items;
      for (const Item& item : self.*member) items.append(nanobind::cast(item));
      return nanobind::tuple(items);
    };
    const std::string tuple = "tuple[" + std::string(type).substr(0, std::string(type).find(" | ")) + ", ...]";
    class_.def_prop_ro(name, get, nanobind::sig(("def " + std::string(name) + "(self) -> " + tuple).c_str()), doc);
    options_.push_back(
        {.name = name,
         .type = spread ? accepted<Item>(type) : "collections.abc.Sequence[" + accepted<Item>(type) + "]",
         .doc = doc,
         .get = get,
         .set =
             [member, convert, most, type = std::string(type)](T& self, nanobind::handle value) {
               if (!nanobind::isinstance<nanobind::list>(value) && !nanobind::isinstance<nanobind::tuple>(value))
                 throw nanobind::cast_error();
               std::vector<Item> items;
               for (nanobind::handle item : value) items.push_back(converted(item, type, convert));
               if (items.empty()) throw nanobind::value_error("there must be at least one");
               if (items.size() > most)
                 throw nanobind::value_error(("there must be " + std::to_string(most) + " at the most").c_str());
               self.*member = std::move(items);
             },
         .spread = spread});
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
    options_.push_back({.name = name,
                        .type = type,
                        .doc = doc,
                        .get = [name_of](const T& self) { return nanobind::cast(name_of(self)); },
                        .set =
                            [names, member](T& self, nanobind::handle given) {
                              const auto text = nanobind::cast<std::string>(given);
                              for (const auto& [value, known] : names)
                                if (text == known) {
                                  self.*member = value;
                                  return;
                                }
                              throw nanobind::cast_error();
                            }});
    return *this;
  }

  void done() {
    std::string signature = "def __init__(self";
    for (const Option& option : options_)
      signature +=
          option.spread ? ", *" + option.name + ": " + option.type : ", " + option.name + ": " + option.type + " = ...";
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
        [options = options_](nanobind::handle self, nanobind::handle other) {
          return self.type().is(other.type()) && values(self, options).equal(values(other, options));
        },
        nanobind::sig("def __eq__(self, other: object, /) -> bool"));
    class_.def("__hash__",
               [options = options_](nanobind::handle self) { return nanobind::hash(values(self, options)); });
    class_.def(
        "with_options",
        [options = options_, text = text_](const T& self, const nanobind::kwargs& kwargs) {
          T copy = self;
          fill(copy, options, text, {}, kwargs);
          return copy;
        },
        nanobind::sig(("def with_options(self, **options: typing.Any) -> " + name_).c_str()),
        "A copy with other options.");
    class_.def_prop_ro(
        "draws", [draws = draws_](const T& self) { return draws(self); },
        "Whether it draws random numbers, apart from what its parts do.");
    class_.attr("text") = text_;
    class_.attr("paper") = paper(doc_);
    class_.attr("home") = home_;
    if (home_ == kHome) nanobind::list(module_.attr("__all__")).append(name_);
    class_.def_static(
        "options", [options = options_] { return described(options); },
        nanobind::sig("def options() -> tuple[tuple[str, str, str, str], ...]"),
        "Name, type, default and meaning of each option; a star stands before one that takes what has no name.");
  }

 private:
  struct Option {
    std::string name, type, doc;
    std::function<nanobind::object(const T&)> get;
    std::function<void(T&, nanobind::handle)> set;
    bool spread = false;
  };

  /// What an option of a type takes in Python.
  template <class Member>
  static std::string accepted(const std::string& type) {
    return kIsComponent<Member> ? type + " | str" : type;
  }

  template <class Member>
  static Member converted(nanobind::handle value, const std::string& type, Member (*convert)(nanobind::handle)) {
    if constexpr (kIsComponent<Member>)
      return convert(component_of(value, type));
    else
      return convert(value);
  }

  /// The first parenthesis of a doc that ends in a year, without its brackets; or nothing.
  static std::string paper(const std::string& doc) {
    for (std::size_t begin = doc.find('('); begin != std::string::npos; begin = doc.find('(', begin + 1)) {
      const std::size_t end = doc.find(')', begin);
      if (end == std::string::npos) break;
      const std::string inside = doc.substr(begin + 1, end - begin - 1);
      if (inside.size() > 4 && inside.find_last_not_of("0123456789") == inside.size() - 5) return inside;
    }
    return "";
  }

  template <class Member>
  static Member from_python(nanobind::handle value) {
    return nanobind::cast<Member>(value);
  }

  template <class Member>
  static nanobind::object to_python(const Member& member) {
    return nanobind::cast(member);
  }

  static nanobind::tuple described(const std::vector<Option>& options) {
    nanobind::list all;
    for (const Option& option : options) {
      const std::string name = option.spread ? "*" + option.name : option.name;
      all.append(nanobind::make_tuple(name, option.type, shown(option.get(T()), false), option.doc));
    }
    return nanobind::tuple(all);
  }

  static nanobind::tuple values(nanobind::handle self, const std::vector<Option>& options) {
    nanobind::list all;
    for (const Option& option : options) all.append(option.get(nanobind::cast<const T&>(self)));
    return nanobind::tuple(all);
  }

  /// The text of a value, with or without the options that have their defaults.
  static std::string shown(const nanobind::object& value, bool all) {
    if (!nanobind::isinstance<nanobind::tuple>(value)) {
      const bool quoted = all || nanobind::isinstance<nanobind::str>(value);
      return nanobind::cast<std::string>(quoted ? nanobind::repr(value) : nanobind::str(value));
    }
    std::string items;
    for (nanobind::handle item : value) items += (items.empty() ? "" : ", ") + shown(nanobind::borrow(item), all);
    return "[" + items + "]";
  }

  /// The text that makes the component anew; with or without the options that have their defaults.
  static std::string call(const T& self, const std::vector<Option>& options, const std::string& text, bool all) {
    std::string result;
    for (const Option& option : options) {
      const nanobind::object value = option.get(self);
      if (!all && value.equal(option.get(T()))) continue;
      const std::string item = shown(value, all);
      result +=
          (result.empty() ? "" : ", ") + (option.spread ? item.substr(1, item.size() - 2) : option.name + "=" + item);
    }
    return all || !result.empty() ? text + "(" + result + ")" : text;
  }

  static void fill(T& self, const std::vector<Option>& options, const std::string& text, const nanobind::args& args,
                   const nanobind::kwargs& kwargs) {
    if (args.size() > 0 && !options.empty() && options[0].spread) {
      set(self, options[0], text, args);
    } else {
      if (args.size() > options.size())
        throw nanobind::type_error((text + " takes at most " + std::to_string(options.size()) + " options").c_str());
      for (std::size_t i = 0; i < args.size(); ++i) set(self, options[i], text, args[i]);
    }
    for (auto [key, value] : kwargs) {
      const auto name = nanobind::cast<std::string>(key);
      const Option* found = nullptr;
      std::string known;
      for (std::size_t i = 0; i < options.size(); ++i) {
        if (options[i].name == name) {
          found = &options[i];
          if (i < args.size() && (i == 0 || !options[0].spread))
            throw nanobind::type_error((text + ": " + name + " is given twice").c_str());
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
      std::string remedy;
      if (PyType_Check(value.ptr()))
        remedy = "; write " + nanobind::cast<std::string>(nanobind::str(value.attr("__name__"))) + "()";
      throw nanobind::type_error((text + ": " + option.name + " must be of type " + type + ", not " +
                                  nanobind::cast<std::string>(nanobind::repr(value)) + remedy)
                                     .c_str());
    }
  }

  nanobind::module_& module_;
  nanobind::class_<T, Base> class_;
  static constexpr const char* kHome = "banditplan";

  std::string name_, text_, doc_, home_ = kHome;
  bool (*draws_)(const T&) = [](const T&) { return false; };
  std::vector<Option> options_;
};
