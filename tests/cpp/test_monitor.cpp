#include <optional>
#include <thread>

#include "check.hpp"
#include "monitor.hpp"

using namespace banditplan;
using namespace std::chrono_literals;

namespace {

/// Checks until stopped; none if that takes too many checks.
std::optional<Stop> run_until_stopped(Monitor& monitor, std::int64_t most) {
  try {
    for (std::int64_t i = 0; i < most; ++i) monitor.check();
  } catch (const Stopped& stopped) {
    return stopped.reason;
  }
  return std::nullopt;
}

}  // namespace

TEST(monitor_without_limits_never_stops) {
  Monitor monitor;
  CHECK(!run_until_stopped(monitor, 10'000'000));
}

TEST(monitor_keeps_the_deadline) {
  Monitor monitor;
  monitor.deadline = Monitor::Clock::now() + 5ms;
  CHECK(run_until_stopped(monitor, std::int64_t{1} << 40) == Stop::time);
  CHECK(Monitor::Clock::now() >= *monitor.deadline);
  monitor = {};
  monitor.deadline = Monitor::Clock::now() - 1s;
  CHECK(run_until_stopped(monitor, 1) == Stop::time);  // the first look is at once
}

/// However many short steps came before: the first long step that ends after the deadline is the last one.
TEST(monitor_keeps_the_deadline_when_steps_become_longer) {
  Monitor monitor;
  for (int i = 0; i < 5'000'000; ++i) monitor.check();
  for (int i = 0; i < 5'000'000; ++i) monitor.check_short();
  monitor.deadline = Monitor::Clock::now() + 25ms;
  bool late = false;
  while (!late) {
    std::this_thread::sleep_for(10ms);
    late = Monitor::Clock::now() >= *monitor.deadline;
    const std::optional<Stop> stop = run_until_stopped(monitor, 1);
    CHECK(stop == Stop::time || !late);
    if (stop) break;
  }
  CHECK(Monitor::Clock::now() >= *monitor.deadline);
}

/// Also within 64 of those that were promised to be short.
TEST(monitor_counts_short_steps) {
  Monitor monitor;
  for (int i = 0; i < 5'000'000; ++i) monitor.check_short();
  monitor.deadline = Monitor::Clock::now();
  std::this_thread::sleep_for(10ms);
  int steps = 0;
  try {
    for (; steps < 1000; ++steps) monitor.check_short();
  } catch (const Stopped&) {
  }
  CHECK(steps < 64);
}

TEST(monitor_keeps_the_memory_limit) {
  CHECK(resident_memory_kb() > 0);
  CHECK(peak_memory_kb() >= resident_memory_kb() / 2);
  Monitor monitor;
  monitor.memory_limit_kb = 1;
  CHECK(run_until_stopped(monitor, 1) == Stop::memory);
  monitor = {};
  monitor.memory_limit_kb = std::size_t{1} << 40;
  CHECK(!run_until_stopped(monitor, 1'000'000));
}

TEST(monitor_asks_the_outside) {
  Monitor monitor;
  int looks = 0;
  monitor.progress.evaluations = 42;
  monitor.poll = [&](const Progress& progress) {
    CHECK(progress.evaluations == 42);
    return ++looks < 5;
  };
  CHECK(run_until_stopped(monitor, std::int64_t{1} << 40) == Stop::interrupt);
  CHECK(looks == 5);
}
