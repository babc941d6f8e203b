#include "states/state_store.hpp"

#include <algorithm>
#include <new>

namespace banditplan {

StateStore::Entry StateStore::insert(const PackedState& state) {
  if (size_ * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_of(state);
  if (slots_[slot] >= 0) return {StateId{slots_[slot]}, false};
  if (size_ == most_) throw std::bad_alloc();
  if (size_ == kSegment * segments_.size())
    segments_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kSegment * packer_->words()));
  std::copy_n(state.words, packer_->words(), place(size_));
  slots_[slot] = static_cast<Id>(size_);
  return {StateId{static_cast<Id>(size_++)}, true};
}

std::size_t StateStore::slot_of(const PackedState& state) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = state.hash & mask;
  while (slots_[slot] >= 0 &&
         !std::equal(state.words, state.words + packer_->words(), place(static_cast<std::size_t>(slots_[slot]))))
    slot = (slot + 1) & mask;
  return slot;
}

void StateStore::grow() {
  const std::size_t size = slots_.size() * 2, mask = size - 1;
  slots_ = {};  // before it is made anew
  slots_.resize(size, -1);
  for (std::size_t number = 0; number < size_; ++number) {
    std::size_t slot = packer_->hashed(place(number)).hash & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<Id>(number);
  }
}

}  // namespace banditplan
