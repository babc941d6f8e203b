#pragma once

#include <cstdint>
#include <vector>

#include "task/task.hpp"

namespace banditplan {

/// The values of the variables that are not derived, in 32-bit words, which others own, with their hash.
struct PackedState {
  const std::uint32_t* words;
  std::uint64_t hash;
};

/// Packs and unpacks states.
class StatePacker {
 public:
  explicit StatePacker(const Task& task);

  std::size_t words() const { return words_; }
  std::vector<std::uint32_t> packed(const Id* state) const;
  /// Changes one value of a packed state; those of derived variables are not there. Returns what is to be added to the
  /// hash.
  std::uint64_t set(std::uint32_t* packed, Id variable, Id value) const {
    const Place& place = places_[place_of_[variable]];
    const std::uint32_t before = packed[place.word];
    const std::uint32_t after = (before & ~(place.mask << place.shift)) | static_cast<std::uint32_t>(value)
                                                                              << place.shift;
    packed[place.word] = after;
    return mixed(place.word, after) - mixed(place.word, before);
  }
  /// The value of a variable that is not derived.
  Id value(const std::uint32_t* packed, Id variable) const {
    const Place& place = places_[place_of_[variable]];
    return static_cast<Id>(packed[place.word] >> place.shift & place.mask);
  }
  /// The hash is a sum over the words, so that it is known of a state that differs in a few of them from one that was
  /// hashed.
  PackedState hashed(const std::uint32_t* packed) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < words_; ++i) hash += mixed(static_cast<std::uint32_t>(i), packed[i]);
    return {packed, hash};
  }
  /// Leaves derived variables alone.
  void unpack(const std::uint32_t* packed, Id* state) const {
    for (std::size_t word = 0; word < words_; ++word) unpack_word(word, packed[word], state);
  }
  /// The same where the values of another packed state are: most words are equal. That one becomes this one.
  void unpack_changes(const std::uint32_t* packed, std::uint32_t* before, Id* state) const {
    for (std::size_t word = 0; word < words_; ++word) {
      if (packed[word] == before[word]) continue;
      before[word] = packed[word];
      unpack_word(word, packed[word], state);
    }
  }

 private:
  /// What a word at its place adds to the hash: bits of both come to be in all bits of it.
  static std::uint64_t mixed(std::uint32_t place, std::uint32_t word) {
    std::uint64_t bits = (std::uint64_t{place} << 32 | word) + 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 32) * 0xff51afd7ed558ccdull;
    bits = (bits ^ bits >> 29) * 0xc4ceb9fe1a85ec53ull;
    return bits ^ bits >> 32;
  }

  struct Place {
    Id variable = 0;
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
  };
  void unpack_word(std::size_t word, std::uint32_t bits, Id* state) const {
    for (std::size_t i = first_of_[word]; i < first_of_[word + 1]; ++i)
      state[places_[i].variable] = static_cast<Id>(bits >> places_[i].shift & places_[i].mask);
  }

  std::vector<Place> places_;          // by word
  std::vector<std::size_t> first_of_;  // per word: its first place; and the number of places
  std::vector<Id> place_of_;           // per variable; -1: it is derived
  std::size_t words_ = 0;
};

}  // namespace banditplan
