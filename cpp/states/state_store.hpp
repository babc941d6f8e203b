#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "states/packer.hpp"

namespace banditplan {

/// A set of packed states, numbered in the order of their insertion. They never move: memory is taken in segments,
/// since a growing array would need its double while it is copied.
///
/// A slot of the hash table holds a part of the hash beside the number, so that most states that are looked up are only
/// compared with themselves, and a table that grows looks at no state. The table has parts that grow on their own, for
/// the same reason as there are segments.
class StateStore {
 public:
  /// The packer must live as long as the store, which holds `most` states.
  explicit StateStore(const StatePacker& packer, std::size_t most = kMostIds);

  std::size_t size() const { return size_; }

  struct Entry {
    StoredId id;
    bool is_new;
  };
  /// Throws std::bad_alloc if it is full.
  Entry insert(const PackedState& state);
  /// The id of the state, or kNotStored.
  StoredId find(const PackedState& state) const {
    const Part& part = part_of(state.hash);
    return StoredId{part.slots[slot_of(part, state)].number};
  }
  const std::uint32_t* words(StoredId id) const { return place(index(id)); }

  /// A state with that hash will soon be looked up: brings the slot into the cache, or, if that is there, the state
  /// with which it will be compared.
  void fetch_slot(std::uint64_t hash) const;
  void fetch_state(std::uint64_t hash) const;

 private:
  static constexpr std::size_t kSegment = 1 << 12;  // states
  static constexpr std::size_t kPartBits = 3;

  struct Slot {
    std::uint32_t tag = 0;  // of the hash
    Id number = -1;         // of the state; -1: the slot is empty
  };
  struct Part {
    std::vector<Slot> slots;
    std::size_t used = 0;

    /// Where the search for a tag begins: slots have the order of the tags, nearly.
    std::size_t first(std::uint32_t tag) const {
      return static_cast<std::size_t>(tag * std::uint64_t{slots.size()} >> 32);
    }
    std::size_t next(std::size_t slot) const { return slot + 1 == slots.size() ? 0 : slot + 1; }
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  const Part& part_of(std::uint64_t hash) const { return parts_[hash >> (64 - kPartBits)]; }
  Part& part_of(std::uint64_t hash) { return parts_[hash >> (64 - kPartBits)]; }
  std::uint32_t* place(std::size_t number) const {
    return segments_[number / kSegment].get() + number % kSegment * packer_->words();
  }
  /// The slot of the state, or an empty one where it belongs.
  std::size_t slot_of(const Part& part, const PackedState& state) const;
  static void grow(Part& part);

  const StatePacker* packer_;
  std::size_t most_;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace banditplan
