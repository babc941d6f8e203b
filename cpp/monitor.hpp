#pragma once

#include <atomic>
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

/// Keeps the limits of time and memory, and lets the outside look in: every long loop calls `check()` or
/// `check_short()` once per step. Limits are looked at every few milliseconds only, or after every step that takes
/// longer.
class Monitor {
 public:
  using Clock = std::chrono::steady_clock;

  /// Called every few milliseconds; returns false to interrupt.
  std::function<bool(const Progress&)> poll;
  std::optional<Clock::time_point> deadline;
  std::optional<std::size_t> memory_limit_kb;
  Progress progress;
  Progress elsewhere;  // what searches before or beside the one under way have done; a best h there is what is shown

  /// Where several threads have the same limit of memory: whether one of them is about to free some.
  std::atomic<bool>* frees_memory = nullptr;

  /// Since the monitor began to watch.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Whether this thread is the one that frees memory now. If so, it tells when it has.
  bool may_free() { return !frees_memory || !frees_memory->exchange(true); }
  void has_freed() {
    if (frees_memory) *frees_memory = false;
  }

  /// After a step of any length.
  void check() {
    if (ticks() - last_ticks_ >= stride_) look();
  }

  /// After a step of some microseconds at the most: many of them count as one.
  void check_short() {
    if (--short_steps_left_ > 0) return;
    short_steps_left_ = kShortSteps;
    check();
  }

 private:
  /// Of a counter that is cheap to read and runs at whatever speed.
  static std::uint64_t ticks() {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_ia32_rdtsc();  // <x86intrin.h> would cost every file a second of compilation
#else
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
#endif
  }
  void look();

  static constexpr int kShortSteps = 64;
  static constexpr std::uint64_t kLeastStride = 1 << 10, kMostStride = std::uint64_t{1} << 40;

  std::uint64_t last_ticks_ = 0, stride_ = kLeastStride;  // ticks from one look to the next
  int short_steps_left_ = 1;
  Clock::time_point start_ = Clock::now(), last_look_ = start_;
};

/// Something was done elsewhere, as long as this lives.
class Elsewhere {
 public:
  Elsewhere(Monitor& monitor, const Progress& done) : monitor_(monitor), outer_(monitor.elsewhere) {
    monitor.elsewhere.evaluations += done.evaluations;
    monitor.elsewhere.expansions += done.expansions;
    if (!outer_.best_h) monitor.elsewhere.best_h = done.best_h;
  }
  ~Elsewhere() { monitor_.elsewhere = outer_; }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  Monitor& monitor_;
  const Progress outer_;
};

/// The memory that this process has resident now, and the most it ever had.
std::size_t resident_memory_kb();
std::size_t peak_memory_kb();
/// Gives what was freed back to the system, where the C library keeps it for later.
void return_free_memory();

}  // namespace banditplan
