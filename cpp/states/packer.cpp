#include "states/packer.hpp"

#include <algorithm>
#include <bit>

namespace banditplan {

StatePacker::StatePacker(const Task& task) : place_of_(task.variables.size(), -1) {
  struct Width {
    Id variable;
    std::uint32_t bits;
  };
  std::vector<Width> rest;
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    if (task.variables[v].derived()) continue;
    const auto largest = static_cast<std::uint32_t>(std::max(task.variables[v].values - 1, 1));
    rest.push_back({static_cast<Id>(v), static_cast<std::uint32_t>(std::bit_width(largest))});
  }
  // Fill word after word, each time with the widest variable that still fits.
  std::ranges::stable_sort(rest, std::ranges::greater{}, &Width::bits);
  while (!rest.empty()) {
    std::uint32_t used = 0;
    std::erase_if(rest, [&](const Width& width) {
      if (used + width.bits > 32) return false;
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << width.bits) - 1);
      place_of_[width.variable] = static_cast<Id>(places_.size());
      places_.push_back({width.variable, static_cast<std::uint32_t>(words_), used, mask});
      used += width.bits;
      return true;
    });
    ++words_;
  }
}

std::vector<std::uint32_t> StatePacker::packed(const Id* state) const {
  std::vector<std::uint32_t> words(words_, 0);
  for (const Place& place : places_)
    words[place.word] |= static_cast<std::uint32_t>(state[place.variable]) << place.shift;
  return words;
}

void StatePacker::unpack(const std::uint32_t* packed, Id* state) const {
  for (const Place& place : places_)
    state[place.variable] = static_cast<Id>(packed[place.word] >> place.shift & place.mask);
}

}  // namespace banditplan
