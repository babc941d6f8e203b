#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lists.hpp"

namespace banditplan {

/// What has been seen in each partition: single facts and pairs of facts. The row of a fact has a bit for every fact
/// that was seen together with it; it is the union of the states with that fact. A partition keeps its states as long
/// as they are few, and makes rows of them when they are many: there may be thousands of partitions.
class NoveltyTable {
 public:
  using Word = std::uint64_t;

  /// `words`: of a state as a set of facts. At `max_bytes`, partitions that are new, or whose states become many, know
  /// single facts only, and facts that are new in the others get no row: their pairs count as seen.
  NoveltyTable(std::size_t facts, std::size_t words, int width, std::size_t max_bytes)
      : facts_(facts), words_(words), width_(width), max_bytes_(max_bytes) {}

  /// The size of the smallest set of facts that holds in the state and was never seen in its partition, if it is 1 or
  /// 2 and not above the width; else the width + 1. From then on the state has been seen. `facts` are all facts of the
  /// state or, unless `all`, those in which it differs from another state that has been seen in the partition.
  int enter(std::size_t partition, const Word* state, std::span<const Id> facts, bool all);

  /// Forgets everything; partitions come with new, larger numbers.
  void clear(std::size_t next_partition);

  std::size_t bytes() const { return bytes_; }
  /// What the bound on memory has cost so far: partitions without pairs, and facts without a row.
  std::size_t narrow_partitions() const { return narrow_partitions_; }
  std::size_t missing_rows() const { return missing_rows_; }

 private:
  struct Partition {
    std::unique_ptr<Word[]> seen;           // facts
    std::vector<Word> states;               // those that were seen, in their order; if there are rows, the last one
    std::unique_ptr<std::uint32_t[]> rows;  // if there are many: per fact the number of its row and 1, or 0
    bool narrow = false;                    // knows single facts only
  };

  Partition& partition(std::size_t number);
  std::span<const Id> lacking(const Word* other, const Word* state);
  bool has_new_pair(const Partition& p, const Word* state, std::span<const Id> facts);
  void keep(Partition& p, const Word* state);
  void make_rows(Partition& p);
  void forget_pairs(Partition& p);
  Word* row(std::uint32_t number) const { return blocks_[number / kRows].get() + number % kRows * words_; }
  void make_row(Partition& p, Id fact);
  void fetch_row(const Partition& p, Id fact) const;
  bool learn_pairs(Partition& p, const Word* state, Id fact);

  static constexpr std::size_t kFew = 32;   // states
  static constexpr std::size_t kRows = 64;  // of a block

  std::size_t facts_, words_;
  int width_;
  std::size_t max_bytes_, bytes_ = 0;
  std::size_t first_ = 0;  // the number of the first partition
  std::vector<Partition> partitions_;
  std::vector<std::unique_ptr<Word[]>> blocks_;
  std::uint32_t rows_ = 0;
  std::size_t narrow_partitions_ = 0, missing_rows_ = 0;
  std::vector<Id> lacking_;  // scratch
  std::vector<Word> row_;
};

}  // namespace banditplan
