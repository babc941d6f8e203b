#include <cstdio>
#include <exception>
#include <string_view>

#include "check.hpp"

namespace {

const char* current_test = "";
int passed = 0, failed = 0;

}  // namespace

void report(bool ok, const char* text, const char* file, int line) {
  ++(ok ? passed : failed);
  if (!ok) std::printf("%s:%d: %s: %s\n", file, line, current_test, text);
}

/// Runs all tests, or those whose names begin with the argument.
int main(int count, char** arguments) {
  std::size_t chosen = 0;
  for (const Test& test : all_tests()) {
    if (count > 1 && !std::string_view(test.name).starts_with(arguments[1])) continue;
    ++chosen;
    current_test = test.name;
    try {
      test.run();
    } catch (const std::exception& error) {
      report(false, error.what(), "exception", 0);
    } catch (...) {
      report(false, "something else than an exception was thrown", "exception", 0);
    }
  }
  std::printf("%zu tests, %d passed, %d failed\n", chosen, passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
