#pragma once

#include <cstdint>
#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// The values of the variables that are not derived, in 32-bit words, which others own, with their hash.
struct PackedState {
  const std::uint32_t* words;
  std::size_t hash;
};

/// Packs and unpacks states.
class StatePacker {
 public:
  explicit StatePacker(const Task& task);

  std::size_t words() const { return words_; }
  std::vector<std::uint32_t> packed(const Id* state) const;
  /// Changes one value of a packed state; those of derived variables are not there.
  void set(std::uint32_t* packed, Id variable, Id value) const {
    const Place& place = places_[place_of_[variable]];
    packed[place.word] = (packed[place.word] & ~(place.mask << place.shift)) | static_cast<std::uint32_t>(value)
                                                                                   << place.shift;
  }
  PackedState hashed(const std::uint32_t* packed) const;
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
  std::vector<Id> place_of_;   // per variable; -1: it is derived
  std::size_t words_ = 0;
};

}  // namespace banditplan
