#include "states/state_store.hpp"

#include <algorithm>

namespace banditplan {

StateStore::Entry StateStore::insert(const PackedState& state) {
  if (static_cast<std::size_t>(size_) * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_of(state);
  if (slots_[slot] >= 0) return {slots_[slot], false};
  if (size_ == kSegment * static_cast<Id>(segments_.size()))
    segments_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kSegment * packer_->words()));
  std::copy_n(state.words, packer_->words(), place(size_));
  slots_[slot] = size_;
  return {size_++, true};
}

std::size_t StateStore::slot_of(const PackedState& state) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = state.hash & mask;
  while (slots_[slot] >= 0 && !std::equal(state.words, state.words + packer_->words(), words(slots_[slot])))
    slot = (slot + 1) & mask;
  return slot;
}

void StateStore::grow() {
  const std::size_t size = slots_.size() * 2, mask = size - 1;
  slots_ = {};  // before it is made anew
  slots_.resize(size, -1);
  for (Id id = 0; id < size_; ++id) {
    std::size_t slot = packer_->hashed(words(id)).hash & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

}  // namespace banditplan
