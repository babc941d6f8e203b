#pragma once

#include <cstdint>
#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// Packs the values of the variables that are not derived into 32-bit words.
class StatePacker {
 public:
  explicit StatePacker(const Task& task);

  std::size_t words() const { return words_; }
  void pack(const Id* state, std::uint32_t* packed) const;
  /// Leaves derived variables alone.
  void unpack(const std::uint32_t* packed, Id* state) const;

 private:
  struct Place {
    Id variable = 0;
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
  };
  std::vector<Place> places_;  // by word
  std::size_t words_ = 0;
};

}  // namespace banditplan
