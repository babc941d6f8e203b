#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recipe.hpp"

/// The values of an enumeration with their names in Python.
template <class Enum, std::size_t kCount>
using Names = std::array<std::pair<Enum, const char*>, kCount>;

/// Whether an option holds another component.
template <class Member>
constexpr bool kIsComponent = false;
template <class T>
constexpr bool kIsComponent<std::shared_ptr<T>> = true;

template <class Member>
Member from_python(nanobind::handle value) {
  return nanobind::cast<Member>(value);
}

template <class Member>
nanobind::object to_python(const Member& member) {
  return nanobind::cast(member);
}

/// Registers a recipe as a Python class. One line per option: its default is the C++ member's initialiser, and
/// constructor, property, repr, equality and what `banditplan components NAME` says follow; so does its place in the
/// public API. The doc names the paper, if there is one, in parentheses.
///
///   Component<Gbfs, Search>(module, "Gbfs", "gbfs", "Greedy best-first search …")
///       .option("heuristic", &Gbfs::heuristic, "Heuristic", "what to minimise")
///       .done();
///
/// Only what needs the type is here, as it is compiled for each component: see `Recipe` for the rest.
template <class T, class Base>
class Component {
 public:
  /// `text`: the name of the component in a search text.
  Component(nanobind::module_& module, const char* name, const char* text, const char* doc)
      : module_(module), class_(module, name, doc) {
    recipe_->name = name;
    recipe_->text = text;
    recipe_->doc = doc;
    recipe_->type = class_;
    recipe_->fresh = [] { return std::shared_ptr<const void>(std::make_shared<T>()); };
    recipe_->draws = [](const void*) { return false; };
  }

  /// The module in whose public API it is, if it is not the first one.
  Component& home(const char* module) {
    recipe_->home = module;
    return *this;
  }

  /// It draws random numbers: always, or with some options only. What its parts draw, they say themselves.
  Component& draws(bool (*condition)(const T&) = [](const T&) { return true; }) {
    recipe_->draws = [condition](const void* self) { return condition(*static_cast<const T*>(self)); };
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
  Component& option(const char* name, Member Owner::* member, const std::string& type, const char* doc,
                    Member (*convert)(nanobind::handle) = &from_python<Member>,
                    nanobind::object (*show)(const Member&) = &to_python<Member>) {
    const std::string family = kIsComponent<Member> ? first_type(type) : "";
    recipe_->options.push_back(
        {.name = name,
         .type = family.empty() ? type : type + " | str",
         .doc = doc,
         .property = family.empty() ? type : family,
         .get = [member, show](const void* self) { return show(static_cast<const T*>(self)->*member); },
         .set = [member, convert](void* self,
                                  nanobind::handle value) { static_cast<T*>(self)->*member = convert(value); },
         .family = family});
    return *this;
  }

  /// An option that is a list of `most` items at the most. As the first one, with `spread`, it takes all arguments that
  /// have no name.
  template <class Item, class Owner>
  Component& list(const char* name, std::vector<Item> Owner::* member, const std::string& type, const char* doc,
                  Item (*convert)(nanobind::handle), bool spread = false,
                  std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const std::string item = kIsComponent<Item> ? type + " | str" : type;
    recipe_->options.push_back({.name = name,
                                .type = spread ? item : "collections.abc.Sequence[" + item + "]",
                                .doc = doc,
                                .property = "tuple[" + first_type(type) + ", ...]",
                                .get =
                                    [member](const void* self) {
                                      nanobind::list items;
                                      for (const Item& each : static_cast<const T*>(self)->*member)
                                        items.append(nanobind::cast(each));
                                      return nanobind::object(nanobind::tuple(items));
                                    },
                                .set =
                                    [member, convert](void* self, nanobind::handle values) {
                                      std::vector<Item> items;
                                      for (nanobind::handle value : values) items.push_back(convert(value));
                                      static_cast<T*>(self)->*member = std::move(items);
                                    },
                                .family = kIsComponent<Item> ? first_type(type) : "",
                                .most = most,
                                .spread = spread});
    return *this;
  }

  /// An option whose values are named by strings.
  template <class Enum, class Owner, std::size_t kCount>
  Component& choice(const char* name, Enum Owner::* member, const Names<Enum, kCount>& names, const char* doc) {
    std::string type = "typing.Literal[";
    for (const auto& [value, text] : names) type += (type.back() == '[' ? "'" : ", '") + std::string(text) + "'";
    type += "]";
    recipe_->options.push_back({.name = name,
                                .type = type,
                                .doc = doc,
                                .property = type,
                                .get = [member](const void* self) -> nanobind::object {
                                  return nanobind::int_(static_cast<int>(static_cast<const T*>(self)->*member));
                                },
                                .set =
                                    [member](void* self, nanobind::handle value) {
                                      static_cast<T*>(self)->*member = static_cast<Enum>(nanobind::cast<int>(value));
                                    }});
    for (const auto& [value, text] : names) recipe_->options.back().names.emplace_back(static_cast<int>(value), text);
    return *this;
  }

  void done() {
    class_.def(
        "__init__",
        [recipe = recipe_](T* self, const nanobind::args& args, const nanobind::kwargs& kwargs) {
          T made;
          recipe->fill(&made, args, kwargs);
          new (self) T(std::move(made));
        },
        nanobind::sig(recipe_->signature().c_str()));
    define(module_, recipe_);
  }

 private:
  nanobind::module_& module_;
  nanobind::class_<T, Base> class_;
  std::shared_ptr<Recipe> recipe_ = std::make_shared<Recipe>();
};
