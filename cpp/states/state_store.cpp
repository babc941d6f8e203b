#include "states/state_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "prefetch.hpp"

namespace banditplan {

namespace {

constexpr std::size_t kFirstSlots = 128;

}  // namespace

StateStore::StateStore(const StatePacker& packer, std::size_t most)
    : packer_(&packer), most_(most), parts_(std::size_t{1} << kPartBits) {
  for (Part& part : parts_) part.slots.resize(kFirstSlots);
}

StateStore::Entry StateStore::insert(const PackedState& state) {
  Part& part = part_of(state.hash);
  std::size_t slot = slot_of(part, state);
  if (part.slots[slot].number >= 0) return {StoredId{part.slots[slot].number}, false};
  if (size_ == most_) throw std::bad_alloc();
  if (4 * part.used >= 3 * part.slots.size()) {
    grow(part);
    slot = slot_of(part, state);
  }
  if (size_ == kSegment * segments_.size())
    segments_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kSegment * packer_->words()));
  std::copy_n(state.words, packer_->words(), place(size_));
  part.slots[slot] = {tag_of(state.hash), static_cast<Id>(size_)};
  ++part.used;
  return {StoredId{static_cast<Id>(size_++)}, true};
}

std::size_t StateStore::slot_of(const Part& part, const PackedState& state) const {
  const std::uint32_t tag = tag_of(state.hash);
  std::size_t slot = part.first(tag);
  while (part.slots[slot].number >= 0 &&
         (part.slots[slot].tag != tag || !std::equal(state.words, state.words + packer_->words(),
                                                     place(static_cast<std::size_t>(part.slots[slot].number)))))
    slot = part.next(slot);
  return slot;
}

void StateStore::fetch_slot(std::uint64_t hash) const {
  const Part& part = part_of(hash);
  prefetch(&part.slots[part.first(tag_of(hash))]);
}

void StateStore::fetch_state(std::uint64_t hash) const {
  constexpr std::size_t kMostFetched = 64;  // words
  const Part& part = part_of(hash);
  std::size_t slot = part.first(tag_of(hash));
  while (part.slots[slot].number >= 0 && part.slots[slot].tag != tag_of(hash)) slot = part.next(slot);
  if (part.slots[slot].number < 0) return;
  const std::uint32_t* const words = place(static_cast<std::size_t>(part.slots[slot].number));
  prefetch(words, std::min(packer_->words(), kMostFetched));
}

void StateStore::grow(Part& part) {
  Part larger;
  larger.slots.resize(part.slots.size() / 2 * 3);
  larger.used = part.used;
  for (const Slot& each : part.slots) {
    if (each.number < 0) continue;
    std::size_t slot = larger.first(each.tag);
    while (larger.slots[slot].number >= 0) slot = larger.next(slot);
    larger.slots[slot] = each;
  }
  part = std::move(larger);
}

}  // namespace banditplan
