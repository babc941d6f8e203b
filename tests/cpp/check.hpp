#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lists.hpp"

/// A test program without a framework: TEST(name) { … } registers a test, CHECK(condition) counts and reports.
struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& all_tests() {
  static std::vector<Test> tests;
  return tests;
}

struct Registration {
  Registration(const char* name, void (*run)()) { all_tests().push_back({name, run}); }
};

/// Reports a check of the running test.
void report(bool ok, const char* text, const char* file, int line);

#define TEST(name)                                                   \
  static void test_##name();                                         \
  static const Registration registration_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(...) report(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#define CHECK_THROWS(exception, ...)                                        \
  do {                                                                      \
    bool thrown = false;                                                    \
    try {                                                                   \
      __VA_ARGS__;                                                          \
    } catch (const exception&) {                                            \
      thrown = true;                                                        \
    }                                                                       \
    report(thrown, #__VA_ARGS__ " throws " #exception, __FILE__, __LINE__); \
  } while (false)

/// SplitMix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, count).
  banditplan::Id below(std::size_t count) { return static_cast<banditplan::Id>(next() % count); }
  bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};
