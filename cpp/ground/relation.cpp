#include "ground/relation.hpp"

#include <algorithm>

#include "hash.hpp"

namespace banditplan {

void Index::key_of(Id tuple, const std::vector<Id>& tuples, std::vector<Id>& key) const {
  const Id* values = tuples.data() + static_cast<std::size_t>(tuple) * static_cast<std::size_t>(arity_);
  key.clear();
  for (Id position : positions_) key.push_back(values[position]);
}

std::size_t Index::slot_of(std::span<const Id> key, const std::vector<Id>& tuples) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash_ids(key) & mask;; slot = (slot + 1) & mask) {
    const Id head = slots_[slot].head;
    if (head < 0) return slot;
    const Id* values = tuples.data() + static_cast<std::size_t>(head) * static_cast<std::size_t>(arity_);
    std::size_t i = 0;
    while (i < key.size() && values[positions_[i]] == key[i]) ++i;
    if (i == key.size()) return slot;
  }
}

Id Index::first(std::span<const Id> key, const std::vector<Id>& tuples) const {
  return slots_[slot_of(key, tuples)].head;
}

void Index::enter(Id tuple, const std::vector<Id>& tuples) {
  if (used_ * 2 >= slots_.size()) grow(tuples);
  key_of(tuple, tuples, scratch_);
  Slot& slot = slots_[slot_of(scratch_, tuples)];
  next_.push_back(-1);
  if (slot.head < 0) {
    slot.head = tuple;
    ++used_;
  } else {
    next_[slot.tail] = tuple;
  }
  slot.tail = tuple;
}

void Index::grow(const std::vector<Id>& tuples) {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.head < 0) continue;
    key_of(slot.head, tuples, scratch_);
    slots_[slot_of(scratch_, tuples)] = slot;
  }
}

Id Relation::find(std::span<const Id> tuple) const {
  if (arity_ == 0) return size_ - 1;
  if (slots_.empty()) return -1;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash_ids(tuple) & mask;; slot = (slot + 1) & mask) {
    const Id id = slots_[slot];
    if (id < 0) return -1;
    if (std::ranges::equal((*this)[id], tuple)) return id;
  }
}

bool Relation::insert(std::span<const Id> tuple) {
  if (arity_ == 0) {
    if (size_ > 0) return false;
    append(tuple);
    return true;
  }
  if (static_cast<std::size_t>(size_) * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_ids(tuple) & mask;
  for (; slots_[slot] >= 0; slot = (slot + 1) & mask)
    if (std::ranges::equal((*this)[slots_[slot]], tuple)) return false;
  slots_[slot] = size_;
  append(tuple);
  return true;
}

void Relation::push_new(std::span<const Id> tuple) { append(tuple); }

void Relation::append(std::span<const Id> tuple) {
  tuples_.insert(tuples_.end(), tuple.begin(), tuple.end());
  for (const auto& index : indices_) index->enter(size_, tuples_);
  ++size_;
}

void Relation::grow() {
  slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), -1);
  const std::size_t mask = slots_.size() - 1;
  for (Id id = 0; id < size_; ++id) {
    std::size_t slot = hash_ids((*this)[id]) & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

const Index& Relation::index(std::span<const Id> positions) {
  for (const auto& index : indices_)
    if (std::ranges::equal(index->positions(), positions)) return *index;
  const auto& index =
      indices_.emplace_back(std::make_unique<Index>(arity_, std::vector<Id>(positions.begin(), positions.end())));
  for (Id id = 0; id < size_; ++id) index->enter(id, tuples_);
  return *index;
}

}  // namespace banditplan
