#include "monitor.hpp"

#include <algorithm>
#include <cstdio>

#if defined(_WIN32)
#include <windows.h>
// psapi.h needs windows.h before it
#include <psapi.h>
#else
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(__APPLE__)
#include <mach/mach.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace banditplan {

void Monitor::look() {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  const auto elapsed = now - last_look_;
  last_look_ = now;
  last_ticks_ = ticks();
  if (elapsed < 1ms)
    stride_ = std::min(stride_ * 2, kMostStride);
  else if (elapsed > 4ms)
    stride_ = std::max(stride_ / 2, kLeastStride);
  if (deadline && now >= *deadline) throw Stopped{Stop::time};
  if (memory_limit_kb && resident_memory_kb() > *memory_limit_kb && may_free()) throw Stopped{Stop::memory};
  if (!poll) return;
  const Progress all{progress.evaluations + elsewhere.evaluations, progress.expansions + elsewhere.expansions,
                     elsewhere.best_h ? elsewhere.best_h : progress.best_h};
  if (!poll(all)) throw Stopped{Stop::interrupt};
}

void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#if defined(_WIN32)

std::size_t resident_memory_kb() {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters.WorkingSetSize / 1024;
}

std::size_t peak_memory_kb() {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters.PeakWorkingSetSize / 1024;
}

#else

#if defined(__APPLE__)

std::size_t resident_memory_kb() {
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &count);
  return info.resident_size / 1024;
}

std::size_t peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

#else

std::size_t resident_memory_kb() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long total = 0, resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024 : 0;
}

/// Not from getrusage: its maximum includes the process that started this one.
std::size_t peak_memory_kb() {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  unsigned long peak = 0;
  while (std::fgets(line, sizeof line, file) && std::sscanf(line, "VmHWM: %lu", &peak) != 1) {
  }
  std::fclose(file);
  return peak;
}

#endif

#endif

}  // namespace banditplan
