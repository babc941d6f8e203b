#pragma once

#include <cmath>
#include <concepts>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace banditplan {

inline std::string json(bool value) { return value ? "true" : "false"; }
inline std::string json(std::integral auto value) { return std::to_string(value); }
/// Ids are numbers.
template <class Name>
  requires std::is_enum_v<Name>
std::string json(Name id) {
  return std::to_string(static_cast<std::underlying_type_t<Name>>(id));
}
/// A number with a point, whatever the locale puts in its place.
inline std::string with_point(std::string digits) {
  const std::size_t point = digits.find_first_not_of("0123456789+-e");
  if (point == std::string::npos) return digits;
  return digits.replace(point, digits.find_first_of("0123456789", point) - point, ".");
}
/// Enough digits to read the number back; null if there is none.
inline std::string json(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  double read = 0;
  std::sscanf(digits, "%lf", &read);
  if (read != value) std::snprintf(digits, sizeof digits, "%.17g", value);
  return with_point(digits);
}
inline std::string json(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}
template <class T>
std::string json(const std::optional<T>& value) {
  return value ? json(*value) : "null";
}
template <class T>
std::string json(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + json(value);
  return "[" + text + "]";
}

/// A JSON object, written field by field.
class JsonObject {
 public:
  template <class T>
  JsonObject& add(std::string_view name, const T& value) {
    text_ += (text_.empty() ? "" : ", ") + json(name) + ": " + json(value);
    return *this;
  }
  std::string text() const { return "{" + text_ + "}"; }

  friend std::string json(const JsonObject& object) { return object.text(); }

 private:
  std::string text_;
};

}  // namespace banditplan
