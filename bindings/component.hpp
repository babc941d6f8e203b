#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <limits>
#include <memory>
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

/// How members of a type are read and set, whatever component they belong to.
template <class Member>
Recipe::Access access(Member (*convert)(nanobind::handle), nanobind::object (*show)(const Member&)) {
  return {[show](const void* member) { return show(*static_cast<const Member*>(member)); },
          [convert](void* member, nanobind::handle value) { *static_cast<Member*>(member) = convert(value); }};
}

template <class Item>
Recipe::Access list_access(Item (*convert)(nanobind::handle)) {
  return {[](const void* member) {
            nanobind::list items;
            for (const Item& each : *static_cast<const std::vector<Item>*>(member)) items.append(nanobind::cast(each));
            return nanobind::object(nanobind::tuple(items));
          },
          [convert](void* member, nanobind::handle values) {
            std::vector<Item> items;
            for (nanobind::handle value : values) items.push_back(convert(value));
            *static_cast<std::vector<Item>*>(member) = std::move(items);
          }};
}

template <class Enum>
Recipe::Access choice_access() {
  return {[](const void* member) -> nanobind::object {
            return nanobind::int_(static_cast<int>(*static_cast<const Enum*>(member)));
          },
          [](void* member, nanobind::handle value) {
            *static_cast<Enum*>(member) = static_cast<Enum>(nanobind::cast<int>(value));
          }};
}

/// Registers a recipe as a Python class. One line per option: its default is the C++ member's initialiser, and
/// constructor, property, repr, equality and what `banditplan components NAME` says follow; so does its place in the
/// public API. The doc names the paper, if there is one, in parentheses.
///
///   Component<Gbfs, Search>(module, "Gbfs", "gbfs", "Greedy best-first search …")
///       .option("heuristic", &Gbfs::heuristic, "Heuristic", "what to minimise")
///       .done();
///
/// Only what needs the type of the component is here, as it is compiled for each of them: see `Recipe` for the rest.
template <class T, class Base>
class Component {
 public:
  /// `text`: the name of the component in a search text.
  Component(nanobind::module_& module, const char* name, const char* text, const char* doc)
      : module_(module), class_(module, name, doc), recipe_(new_recipe(name, text, doc, class_)) {}

  /// The module in whose public API it is, if it is not the first one.
  Component& home(const char* module) {
    recipe_->home = module;
    return *this;
  }

  /// It draws random numbers: always, or with some options only. What its parts draw, they say themselves.
  Component& draws() {
    recipe_->draws = &Recipe::always;
    return *this;
  }
  Component& draws(bool (*condition)(const T&)) {
    recipe_->draws = [condition](const void* self) { return condition(*static_cast<const T*>(self)); };
    return *this;
  }

  /// Of a bandit: what its scores are, and how they are computed from the estimate (Ê), σ, n and T, for those who
  /// explain.
  Component& score(const char* kind, const char* formula) {
    recipe_->attribute("score", kind);
    recipe_->attribute("formula", formula);
    return *this;
  }

  /// Of a bandit: what the papers call a tree search with it.
  Component& tree(const char* name) {
    recipe_->attribute("tree", name);
    return *this;
  }

  /// Of a backup: what the papers put behind the name of a tree search with it.
  Component& mark(const char* sign) {
    recipe_->attribute("mark", sign);
    return *this;
  }

  /// `convert` reads a Python value, where more or less is accepted than the member's type, and `show` makes one.
  template <class Member, class Owner>
  Component& option(const char* name, Member Owner::* member, const char* type, const char* doc,
                    Member (*convert)(nanobind::handle) = &from_python<Member>,
                    nanobind::object (*show)(const Member&) = &to_python<Member>) {
    recipe_->add_option(name, type, doc, kIsComponent<Member>, access(convert, show), place(member));
    return *this;
  }

  /// An option that is a list of `most` items at the most. As the first one, with `spread`, it takes all arguments that
  /// have no name.
  template <class Item, class Owner>
  Component& list(const char* name, std::vector<Item> Owner::* member, const char* type, const char* doc,
                  Item (*convert)(nanobind::handle), bool spread = false,
                  std::size_t most = std::numeric_limits<std::size_t>::max()) {
    recipe_->add_list(name, type, doc, kIsComponent<Item>, list_access(convert), place(member), spread, most);
    return *this;
  }

  /// An option whose values are named by strings.
  template <class Enum, class Owner, std::size_t kCount>
  Component& choice(const char* name, Enum Owner::* member, const Names<Enum, kCount>& names, const char* doc) {
    std::vector<std::pair<int, const char*>> numbered;
    for (const auto& [value, text] : names) numbered.emplace_back(static_cast<int>(value), text);
    recipe_->add_choice(name, std::move(numbered), doc, choice_access<Enum>(), place(member));
    return *this;
  }

  /// Options that do not go together: `check` throws nanobind::value_error.
  Component& rule(void (*check)(const T&)) {
    check_ = check;
    return *this;
  }

  void done() {
    class_.def(
        "__init__",
        [recipe = recipe_, check = check_](T* self, const nanobind::args& args, const nanobind::kwargs& kwargs) {
          T made;
          recipe->fill(&made, args, kwargs);
          check(made);
          new (self) T(std::move(made));
        },
        nanobind::sig(recipe_->signature().c_str()));
    define(module_, recipe_);
  }

 private:
  /// Where a member lies in the component, in bytes.
  template <class Member, class Owner>
  std::ptrdiff_t place(Member Owner::* member) const {
    return reinterpret_cast<const char*>(&(sample_.*member)) - reinterpret_cast<const char*>(&sample_);
  }

  nanobind::module_& module_;
  nanobind::class_<T, Base> class_;
  std::shared_ptr<Recipe> recipe_;
  void (*check_)(const T&) = [](const T&) {};
  const T sample_ = {};
};
