#pragma once

#include "numbered_lists.hpp"

namespace banditplan {

/// Numbers tuples of values of evaluators: states with the same tuple are in the same partition.
class Partitions {
 public:
  std::size_t size() const { return keys_.lists().size() + begin_; }

  /// The number of a partition, which is new if it is the `size()` of before.
  std::size_t find(std::span<const Id> key) { return begin_ + keys_.number(key); }

  /// Forgets all of them; numbers are not used again.
  void clear() {
    begin_ = size();
    keys_ = {};
  }

 private:
  std::size_t begin_ = 0;  // numbers that are forgotten
  NumberedLists keys_;
};

}  // namespace banditplan
