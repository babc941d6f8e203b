#pragma once

#include <cstdint>

namespace banditplan {

/// Thrown by `Work::spend` when there is nothing left.
struct Spent {};

/// A bound on what the improvement of a plan may take, counted in facts that are looked at or set: it does not depend
/// on the speed of the machine, so that the same plan becomes the same everywhere. 10⁸ of them take roughly half a
/// second.
class Work {
 public:
  explicit Work(std::int64_t units) : left_(units) {}

  std::int64_t left() const { return left_; }
  void spend(std::int64_t units) {
    left_ -= units;
    if (left_ < 0) throw Spent{};
  }

 private:
  std::int64_t left_;
};

}  // namespace banditplan
