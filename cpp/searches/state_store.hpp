#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "task/state.hpp"

namespace banditplan {

/// The distinct states of a search, packed, numbered in the order of their insertion. They never move: memory is taken
/// in segments, since a growing array would need its double while it is copied.
class StateStore {
 public:
  explicit StateStore(const Task& task) : packer_(task), slots_(1024, -1) {}

  Id size() const { return size_; }
  std::size_t bytes_per_state() const { return packer_.words() * sizeof(std::uint32_t); }

  struct Entry {
    Id id;
    bool is_new;
  };
  Entry insert(const Id* state);
  /// The id of the state, or -1.
  Id find(const Id* state) const;
  /// Leaves derived variables alone.
  void load(Id id, Id* state) const { packer_.unpack(words(id), state); }

 private:
  static constexpr Id kSegment = 1 << 12;  // states

  std::uint32_t* words(Id id) const {
    return segments_[id / kSegment].get() + static_cast<std::size_t>(id % kSegment) * packer_.words();
  }
  std::size_t hash(const std::uint32_t* words) const;
  /// The slot of the packed state, or an empty one where it belongs.
  std::size_t slot_of(const std::uint32_t* packed) const;
  void grow();

  StatePacker packer_;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
  std::vector<Id> slots_;
  mutable std::vector<std::uint32_t> scratch_;
  Id size_ = 0;
};

}  // namespace banditplan
