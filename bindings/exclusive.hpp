#pragma once

#include <mutex>
#include <stdexcept>

/// Something with scratch memory that Python threads may share: one call at a time, the others wait. A call from within
/// a call, by a Python function that the first one runs, is refused.
class Exclusive {
 public:
  /// To be held, without the GIL, for the duration of a call.
  class Use {
   public:
    explicit Use(Exclusive& exclusive) : exclusive_(exclusive), lock_(exclusive.mutex_) {
      if (exclusive.busy_) throw std::runtime_error("called from a function that it calls itself");
      exclusive.busy_ = true;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { exclusive_.busy_ = false; }

   private:
    Exclusive& exclusive_;
    std::unique_lock<std::recursive_mutex> lock_;
  };

 private:
  std::recursive_mutex mutex_;
  bool busy_ = false;
};
