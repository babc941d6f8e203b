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
  /// The packer must live as long as the store, which holds `most` states.
  explicit StateStore(const StatePacker& packer, std::size_t most = kMostIds)
      : packer_(&packer), most_(most), slots_(1024, -1) {}

  std::size_t size() const { return size_; }

  struct Entry {
    StateId id;
    bool is_new;
  };
  /// Throws std::bad_alloc if it is full.
  Entry insert(const PackedState& state);
  /// The id of the state, or kNoState.
  StateId find(const PackedState& state) const { return StateId{slots_[slot_of(state)]}; }
  const std::uint32_t* words(StateId id) const { return place(index(id)); }

 private:
  static constexpr std::size_t kSegment = 1 << 12;  // states

  std::uint32_t* place(std::size_t number) const {
    return segments_[number / kSegment].get() + number % kSegment * packer_->words();
  }
  /// The slot of the state, or an empty one where it belongs.
  std::size_t slot_of(const PackedState& state) const;
  void grow();

  const StatePacker* packer_;
  std::size_t most_;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
  std::vector<Id> slots_;
  std::size_t size_ = 0;
};

}  // namespace banditplan
