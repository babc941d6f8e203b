#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// A hash table from the values at some positions of a relation's tuples to the tuples that have them,
/// in the order of their insertion.
class Index {
 public:
  Index(Id arity, std::vector<Id> positions) : arity_(arity), positions_(std::move(positions)), slots_(16) {}

  /// The first tuple with the values `key` at the index's positions, or -1.
  Id first(std::span<const Id> key, const std::vector<Id>& tuples) const;
  Id next(Id tuple) const { return next_[tuple]; }
  /// Enters the last tuple of `tuples`.
  void enter(Id tuple, const std::vector<Id>& tuples);
  std::size_t distinct_keys() const { return used_; }
  std::span<const Id> positions() const { return positions_; }

 private:
  struct Slot {
    Id head = -1;
    Id tail = -1;
  };
  std::size_t slot_of(std::span<const Id> key, const std::vector<Id>& tuples) const;
  void grow(const std::vector<Id>& tuples);
  void key_of(Id tuple, const std::vector<Id>& tuples, std::vector<Id>& key) const;

  Id arity_;
  std::vector<Id> positions_;
  std::vector<Slot> slots_;
  std::vector<Id> next_;
  std::vector<Id> scratch_;
  std::size_t used_ = 0;
};

/// A growing set of tuples of objects; a tuple's id is its place in the order of insertion.
class Relation {
 public:
  explicit Relation(Id arity) : arity_(arity) {}

  Id arity() const { return arity_; }
  Id size() const { return size_; }
  std::span<const Id> operator[](Id tuple) const {
    return {tuples_.data() + static_cast<std::size_t>(tuple) * static_cast<std::size_t>(arity_),
            static_cast<std::size_t>(arity_)};
  }
  /// The id of the tuple, or -1.
  Id find(std::span<const Id> tuple) const;
  /// Inserts the tuple unless it is there; true if it was new.
  bool insert(std::span<const Id> tuple);
  /// Inserts a tuple that is known to be new; `find` and `insert` are not to be used on such a relation.
  void push_new(std::span<const Id> tuple);

  /// The index on the given positions (none: one chain of all tuples); built when first asked for.
  const Index& index(std::span<const Id> positions);
  const std::vector<Id>& data() const { return tuples_; }

 private:
  void append(std::span<const Id> tuple);
  void grow();

  Id arity_;
  Id size_ = 0;
  std::vector<Id> tuples_;
  std::vector<Id> slots_;  // the set of all tuples, by open addressing
  std::vector<std::unique_ptr<Index>> indices_;
};

}  // namespace banditplan
