#include "states/packer.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace banditplan {

StatePacker::StatePacker(const Task& task) : place_of_(task.variables.size(), -1) {
  constexpr std::uint32_t kBits = 32;              // of a word
  std::array<std::vector<Id>, kBits + 1> waiting;  // by the bits that they need; the first variable comes last
  std::size_t left = 0;
  for (std::size_t v = task.variables.size(); v-- > 0;) {
    if (task.variables[v].derived()) continue;
    const auto largest = static_cast<std::uint32_t>(std::max(task.variables[v].values - 1, 1));
    waiting[std::bit_width(largest)].push_back(static_cast<Id>(v));
    ++left;
  }
  // Fill word after word, each time with the widest variable that still fits.
  for (; left > 0; ++words_) {
    std::uint32_t used = 0;
    first_of_.push_back(places_.size());
    for (std::uint32_t bits = kBits; bits > 0; --bits) {
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
      for (; !waiting[bits].empty() && used + bits <= kBits; used += bits, --left) {
        const Id variable = waiting[bits].back();
        waiting[bits].pop_back();
        place_of_[variable] = static_cast<Id>(places_.size());
        places_.push_back({variable, static_cast<std::uint32_t>(words_), used, mask});
      }
    }
  }
  first_of_.push_back(places_.size());
}

std::vector<std::uint32_t> StatePacker::packed(const Id* state) const {
  std::vector<std::uint32_t> words(words_, 0);
  for (const Place& place : places_)
    words[place.word] |= static_cast<std::uint32_t>(state[place.variable]) << place.shift;
  return words;
}

}  // namespace banditplan
