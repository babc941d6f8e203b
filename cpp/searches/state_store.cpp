#include "searches/state_store.hpp"

#include <algorithm>

namespace banditplan {

StateStore::Entry StateStore::insert(const Id* state) {
  if (static_cast<std::size_t>(size_) * 2 >= slots_.size()) grow();
  if (size_ == kSegment * static_cast<Id>(segments_.size()))
    segments_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kSegment * packer_.words()));
  // Packed in place behind the last state, and forgotten again if it is known.
  packer_.pack(state, words(size_));
  const std::size_t slot = slot_of(words(size_));
  if (slots_[slot] >= 0) return {slots_[slot], false};
  slots_[slot] = size_;
  return {size_++, true};
}

Id StateStore::find(const Id* state) const {
  scratch_.resize(packer_.words());
  packer_.pack(state, scratch_.data());
  return slots_[slot_of(scratch_.data())];
}

std::size_t StateStore::slot_of(const std::uint32_t* packed) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(packed) & mask;
  while (slots_[slot] >= 0 && !std::equal(packed, packed + packer_.words(), words(slots_[slot])))
    slot = (slot + 1) & mask;
  return slot;
}

std::size_t StateStore::hash(const std::uint32_t* words) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull;
  for (std::size_t i = 0; i < packer_.words(); ++i) {
    hash = (hash ^ words[i]) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

void StateStore::grow() {
  const std::size_t size = slots_.size() * 2, mask = size - 1;
  slots_ = {};  // before it is made anew
  slots_.resize(size, -1);
  for (Id id = 0; id < size_; ++id) {
    std::size_t slot = hash(words(id)) & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

}  // namespace banditplan
