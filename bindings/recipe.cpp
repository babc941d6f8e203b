#include "recipe.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace {

using Option = Recipe::Option;

/// The component in an object of Python; another object is none of the method's arguments.
const void* component_in(nb::handle object, const Recipe& recipe) {
  if (!nb::isinstance(object, recipe.type) || !nb::inst_ready(object)) throw nb::next_overload();
  return nb::inst_ptr<void>(object);
}

nb::object value(const Option& option, const void* self) {
  nb::object value = option.access.get(static_cast<const char*>(self) + option.place);
  if (option.names.empty()) return value;
  for (const auto& [number, name] : option.names)
    if (nb::cast<int>(value) == number) return nb::str(name);
  return nb::str("");
}

nb::tuple values(const Recipe& recipe, const void* self) {
  nb::list all;
  for (const Option& option : recipe.options) all.append(value(option, self));
  return nb::tuple(all);
}

// ---- from Python

/// A component in the place of its text, which is read as `--search` reads it; other values stay what they are.
nb::object component_of(nb::handle value, const std::string& family) {
  if (family.empty() || !nb::isinstance<nb::str>(value)) return nb::borrow(value);
  return nb::module_::import_("banditplan.components.spec").attr("parse_component")(value, family);
}

nb::object number_of(const Option& option, nb::handle given) {
  const auto text = nb::cast<std::string>(given);
  for (const auto& [number, name] : option.names)
    if (text == name) return nb::int_(number);
  throw nb::cast_error();
}

nb::object items_of(const Option& option, nb::handle given) {
  if (!nb::isinstance<nb::list>(given) && !nb::isinstance<nb::tuple>(given)) throw nb::cast_error();
  nb::list items;
  for (nb::handle item : given) items.append(component_of(item, option.family));
  if (items.size() == 0) throw nb::value_error("there must be at least one");
  if (items.size() > option.most)
    throw nb::value_error(("there must be " + std::to_string(option.most) + " at the most").c_str());
  return items;
}

nb::object accepted(const Option& option, nb::handle given) {
  if (option.most > 0) return items_of(option, given);
  if (!option.names.empty()) return number_of(option, given);
  if (given.is_none()) throw nb::cast_error();
  return component_of(given, option.family);
}

void set(void* self, const Option& option, const std::string& text, nb::handle given) {
  try {
    option.access.set(static_cast<char*>(self) + option.place, accepted(option, given));
  } catch (const nb::cast_error&) {
    std::string remedy;
    if (PyType_Check(given.ptr())) remedy = "; write " + nb::cast<std::string>(nb::str(given.attr("__name__"))) + "()";
    // The first alternative says it: a search text has no functions.
    throw nb::type_error((text + ": " + option.name + " must be of type " + first_type(option.type) + ", not " +
                          nb::cast<std::string>(nb::repr(given)) + remedy)
                             .c_str());
  }
}

// ---- to texts

/// The text of a value, with or without the options that have their defaults.
std::string shown(const nb::object& value, bool all) {
  if (!nb::isinstance<nb::tuple>(value)) {
    const bool quoted = all || nb::isinstance<nb::str>(value);
    return nb::cast<std::string>(quoted ? nb::repr(value) : nb::str(value));
  }
  std::string items;
  for (nb::handle item : value) items += (items.empty() ? "" : ", ") + shown(nb::borrow(item), all);
  return "[" + items + "]";
}

/// The text that makes the component anew; with or without the options that have their defaults.
std::string call(const Recipe& recipe, const void* self, bool all) {
  const nb::object fresh = recipe.type();
  std::string result;
  for (const Option& option : recipe.options) {
    const nb::object own = value(option, self);
    if (!all && own.equal(value(option, nb::inst_ptr<void>(fresh)))) continue;
    const std::string item = shown(own, all);
    result +=
        (result.empty() ? "" : ", ") + (option.spread ? item.substr(1, item.size() - 2) : option.name + "=" + item);
  }
  return all || !result.empty() ? recipe.text + "(" + result + ")" : recipe.text;
}

nb::tuple described(const Recipe& recipe) {
  const nb::object fresh = recipe.type();
  nb::list all;
  for (const Option& option : recipe.options) {
    const std::string name = option.spread ? "*" + option.name : option.name;
    all.append(nb::make_tuple(name, option.type, shown(value(option, nb::inst_ptr<void>(fresh)), false), option.doc));
  }
  return nb::tuple(all);
}

/// The first parenthesis of a doc that ends in a year, without its brackets; or nothing.
std::string paper(const std::string& doc) {
  for (std::size_t begin = doc.find('('); begin != std::string::npos; begin = doc.find('(', begin + 1)) {
    const std::size_t end = doc.find(')', begin);
    if (end == std::string::npos) break;
    const std::string inside = doc.substr(begin + 1, end - begin - 1);
    if (inside.size() > 4 && inside.find_last_not_of("0123456789") == inside.size() - 5) return inside;
  }
  return "";
}

// ---- the class

template <class Function, class... Extra>
void method(const Recipe& recipe, const char* name, Function&& function, const Extra&... extra) {
  nb::cpp_function_def(std::forward<Function>(function), nb::scope(recipe.type), nb::name(name), nb::is_method(),
                       extra...);
}

template <class Function>
void property(const Recipe& recipe, const std::string& name, const std::string& type, const std::string& doc,
              Function&& get) {
  const std::string signature = "def " + name + "(self) -> " + type;
  const nb::object getter = nb::cpp_function(std::forward<Function>(get), nb::is_method(), nb::is_getter(),
                                             nb::sig(signature.c_str()), doc.c_str());
  nb::setattr(recipe.type, name.c_str(),
              nb::module_::import_("builtins").attr("property")(getter, nb::none(), nb::none(), doc));
}

}  // namespace

std::string first_type(const std::string& type) { return type.substr(0, type.find(" | ")); }

std::shared_ptr<Recipe> new_recipe(const char* name, const char* text, const char* doc, nb::handle type) {
  auto recipe = std::make_shared<Recipe>();
  recipe->name = name;
  recipe->text = text;
  recipe->doc = doc;
  recipe->type = type;
  return recipe;
}

void Recipe::add_option(const char* option, const std::string& of, const char* meaning, bool is_component,
                        Access access, std::ptrdiff_t place) {
  const std::string family = is_component ? first_type(of) : "";
  options.push_back({.name = option,
                     .type = is_component ? of + " | str" : of,
                     .doc = meaning,
                     .property = is_component ? family : of,
                     .access = std::move(access),
                     .place = place,
                     .family = family});
}

void Recipe::add_list(const char* option, const std::string& of, const char* meaning, bool of_components, Access access,
                      std::ptrdiff_t place, bool spread, std::size_t most) {
  const std::string item = of_components ? of + " | str" : of;
  options.push_back({.name = option,
                     .type = spread ? item : "collections.abc.Sequence[" + item + "]",
                     .doc = meaning,
                     .property = "tuple[" + first_type(of) + ", ...]",
                     .access = std::move(access),
                     .place = place,
                     .family = of_components ? first_type(of) : "",
                     .most = most,
                     .spread = spread});
}

void Recipe::add_choice(const char* option, std::vector<std::pair<int, const char*>> names, const char* meaning,
                        Access access, std::ptrdiff_t place) {
  std::string values;
  for (const auto& [number, value] : names) values += (values.empty() ? "'" : ", '") + std::string(value) + "'";
  values = "typing.Literal[" + values + "]";
  options.push_back({.name = option,
                     .type = values,
                     .doc = meaning,
                     .property = values,
                     .access = std::move(access),
                     .place = place,
                     .names = std::move(names)});
}

void Recipe::attribute(const char* attribute, const char* value) const { nb::setattr(type, attribute, nb::str(value)); }

std::string Recipe::signature() const {
  std::string result = "def __init__(self";
  for (const Option& option : options)
    result +=
        ", " + (option.spread ? "*" + option.name + ": " + option.type : option.name + ": " + option.type + " = ...");
  return result + ") -> None";
}

void Recipe::fill(void* self, const nb::args& args, const nb::kwargs& kwargs) const {
  const bool spread = !options.empty() && options[0].spread;
  if (spread && args.size() > 0) {
    set(self, options[0], text, args);
  } else {
    if (args.size() > options.size())
      throw nb::type_error((text + " takes at most " + std::to_string(options.size()) + " options").c_str());
    for (std::size_t i = 0; i < args.size(); ++i) set(self, options[i], text, args[i]);
  }
  for (auto [key, given] : kwargs) {
    const auto asked = nb::cast<std::string>(key);
    const Option* found = nullptr;
    std::string known;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (options[i].name == asked) {
        found = &options[i];
        if (i < args.size() && (i == 0 || !spread))
          throw nb::type_error((text + ": " + asked + " is given twice").c_str());
      }
      known += (known.empty() ? "" : ", ") + options[i].name;
    }
    if (!found) throw nb::type_error((text + " has no option \"" + asked + "\"; it has: " + known).c_str());
    set(self, *found, text, given);
  }
}

void define(nb::module_& module, std::shared_ptr<const Recipe> recipe) {
  for (const Option& option : recipe->options)
    property(*recipe, option.name, option.property, option.doc,
             [recipe, &option](nb::handle self) { return value(option, component_in(self, *recipe)); });
  method(*recipe, "__repr__", [recipe](nb::handle self) { return call(*recipe, component_in(self, *recipe), true); });
  method(
      *recipe, "__str__", [recipe](nb::handle self) { return call(*recipe, component_in(self, *recipe), false); },
      "As repr, without the options that have their defaults.");
  method(
      *recipe, "__eq__",
      [recipe](nb::handle self, nb::handle other) {
        const void* own = component_in(self, *recipe);
        return self.type().is(other.type()) &&
               values(*recipe, own).equal(values(*recipe, component_in(other, *recipe)));
      },
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  method(*recipe, "__hash__",
         [recipe](nb::handle self) { return nb::hash(values(*recipe, component_in(self, *recipe))); });
  method(
      *recipe, "with_options",
      [recipe](nb::handle self, const nb::kwargs& kwargs) {
        component_in(self, *recipe);
        nb::object copy = nb::inst_alloc(self.type());
        nb::inst_copy(copy, self);
        recipe->fill(nb::inst_ptr<void>(copy), {}, kwargs);
        return copy;
      },
      nb::sig(("def with_options(self, **options: typing.Any) -> " + recipe->name).c_str()),
      "A copy with other options.");
  nb::cpp_function_def([recipe] { return described(*recipe); }, nb::scope(recipe->type), nb::name("options"),
                       nb::sig("def options() -> tuple[tuple[str, str, str, str], ...]"),
                       "Name, type, default and meaning of each option; a star stands before one that takes what has "
                       "no name.");
  property(*recipe, "draws", "bool", "Whether it draws random numbers, apart from what its parts do.",
           [recipe](nb::handle self) { return recipe->draws(component_in(self, *recipe)); });
  recipe->attribute("text", recipe->text.c_str());
  recipe->attribute("paper", paper(recipe->doc).c_str());
  recipe->attribute("home", recipe->home.c_str());
  if (recipe->home == Recipe().home) nb::list(module.attr("__all__")).append(recipe->name);
}
