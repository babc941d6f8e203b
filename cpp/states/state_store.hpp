#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "states/packer.hpp"

namespace banditplan {

/// A set of packed states, numbered in the order of their insertion. They never move: memory is taken in segments,
/// since a growing array would need its double while it is copied.
class StateStore {
 public:
  /// The packer must live as long as the store.
  explicit StateStore(const StatePacker& packer) : packer_(&packer), slots_(1024, -1) {}

  Id size() const { return size_; }

  struct Entry {
    Id id;
    bool is_new;
  };
  Entry insert(const PackedState& state);
  /// The id of the state, or -1.
  Id find(const PackedState& state) const { return slots_[slot_of(state)]; }
  const std::uint32_t* words(Id id) const { return place(id); }

 private:
  static constexpr Id kSegment = 1 << 12;  // states

  std::uint32_t* place(Id id) const {
    return segments_[id / kSegment].get() + static_cast<std::size_t>(id % kSegment) * packer_->words();
  }
  /// The slot of the state, or an empty one where it belongs.
  std::size_t slot_of(const PackedState& state) const;
  void grow();

  const StatePacker* packer_;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
  std::vector<Id> slots_;
  Id size_ = 0;
};

}  // namespace banditplan
