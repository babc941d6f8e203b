#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace banditplan {

/// Why work was stopped from outside.
enum class Stop { time, memory, interrupt };

/// Thrown by `Monitor::check` when the work must end now.
struct Stopped {
  Stop reason;
};

/// What a search has to say while it runs.
struct Progress {
  std::int64_t evaluations = 0;
  std::int64_t expansions = 0;
  std::optional<std::int64_t> best_h;
};

/// Keeps the limits of time and memory, and lets the outside look in: every long loop calls `check()`
/// once per step; the clock is read every few milliseconds only.
class Monitor {
 public:
  using Clock = std::chrono::steady_clock;

  /// Called every few milliseconds; returns false to interrupt.
  std::function<bool(const Progress&)> poll;
  std::optional<Clock::time_point> deadline;
  std::optional<std::size_t> memory_limit_kb;
  Progress progress;

  void check() {
    if (--countdown_ <= 0) look();
  }

 private:
  void look();

  std::int64_t countdown_ = 0;
  std::int64_t stride_ = 16;
  Clock::time_point last_look_ = Clock::now();
};

/// The memory that this process has resident now, and the most it ever had.
std::size_t resident_memory_kb();
std::size_t peak_memory_kb();

}  // namespace banditplan
