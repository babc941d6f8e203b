#include "novelty/novelty_table.hpp"

#include <algorithm>
#include <bit>

namespace banditplan {

int NoveltyTable::enter(std::size_t number, const Word* state, std::span<const Id> facts, bool all) {
  Partition& p = partition(number);
  bool new_fact = false, new_pair = false;
  for (Id fact : facts) {
    Word& word = p.seen[fact / 64];
    const Word bit = Word{1} << (fact % 64);
    if ((word & bit) != 0) continue;
    word |= bit;
    new_fact = true;
    if (p.rows && !make_row(p, fact)) ++missing_rows_;
  }
  if (p.rows)
    for (Id fact : facts)
      if (learn_pairs(p, state, fact, all ? static_cast<std::size_t>(fact) / 64 : 0)) new_pair = true;
  return new_fact ? 1 : new_pair ? 2 : width_ + 1;
}

NoveltyTable::Partition& NoveltyTable::partition(std::size_t number) {
  while (partitions_.size() + first_ <= number) {
    Partition& made = partitions_.emplace_back();
    made.seen = std::make_unique<Word[]>(words_);
    bytes_ += sizeof(Partition) + words_ * sizeof(Word);
    if (width_ < 2) continue;
    if (bytes_ < max_bytes_) {
      made.rows = std::make_unique<std::uint32_t[]>(facts_);
      bytes_ += facts_ * sizeof(std::uint32_t);
    } else {
      ++narrow_partitions_;
    }
  }
  return partitions_[number - first_];
}

bool NoveltyTable::make_row(Partition& p, Id fact) {
  if (rows_ == blocks_.size() * kRows) {
    if (bytes_ >= max_bytes_) return false;
    blocks_.push_back(std::make_unique<Word[]>(kRows * words_));
    bytes_ += kRows * words_ * sizeof(Word);
  }
  p.rows[fact] = ++rows_;
  return true;
}

/// Enters the pairs of the fact with facts of the state, from a word on; whether one of them is new. A pair stands in
/// both rows: if all facts of a state are entered, each can leave those before it alone.
bool NoveltyTable::learn_pairs(Partition& p, const Word* state, Id fact, std::size_t first_word) {
  if (p.rows[fact] == 0) return false;
  Word* mine = row(p.rows[fact] - 1);
  Word fresh = 0;
  for (std::size_t w = first_word; w < words_; ++w) fresh |= state[w] & ~mine[w];
  if (fresh == 0) return false;
  const Word bit = Word{1} << (fact % 64);
  bool found = false;
  for (std::size_t w = first_word; w < words_; ++w) {
    for (Word news = state[w] & ~mine[w]; news != 0; news &= news - 1) {
      const std::size_t other = w * 64 + static_cast<std::size_t>(std::countr_zero(news));
      if (p.rows[other] == 0) continue;
      row(p.rows[other] - 1)[fact / 64] |= bit;
      if (other != static_cast<std::size_t>(fact)) found = true;
    }
    mine[w] |= state[w];
  }
  return found;
}

void NoveltyTable::clear(std::size_t next_partition) {
  first_ = next_partition;
  partitions_.clear();
  blocks_.clear();
  rows_ = 0;
  bytes_ = 0;
}

}  // namespace banditplan
