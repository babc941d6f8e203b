#include "novelty/novelty_table.hpp"

#include <algorithm>
#include <bit>

#include "prefetch.hpp"

namespace banditplan {

namespace {

using Word = NoveltyTable::Word;

bool contains(const Word* set, Id fact) { return (set[fact / 64] >> (fact % 64) & 1) != 0; }
void insert(Word* set, Id fact) { set[fact / 64] |= Word{1} << (fact % 64); }

}  // namespace

int NoveltyTable::enter(std::size_t number, const Word* state, std::span<const Id> facts, bool all) {
  Partition& p = partition(number);
  if (all && !p.states.empty()) facts = lacking(p.states.data() + p.states.size() - words_, state);
  bool new_fact = false, new_pair = false;
  for (Id fact : facts) {
    if (contains(p.seen.get(), fact)) continue;
    insert(p.seen.get(), fact);
    new_fact = true;
    if (p.rows) make_row(p, fact);
  }
  if (p.rows) {
    for (Id fact : facts) fetch_row(p, fact);
    for (Id fact : facts) new_pair = learn_pairs(p, state, fact) || new_pair;
    std::copy_n(state, words_, p.states.data());
  } else if (!p.narrow) {
    new_pair = !new_fact && has_new_pair(p, state, facts);
    keep(p, state);
  }
  return new_fact ? 1 : new_pair ? 2 : width_ + 1;
}

NoveltyTable::Partition& NoveltyTable::partition(std::size_t number) {
  while (partitions_.size() + first_ <= number) {
    Partition& made = partitions_.emplace_back();
    made.seen = std::make_unique<Word[]>(words_);
    made.narrow = width_ < 2;
    bytes_ += sizeof(Partition) + words_ * sizeof(Word);
  }
  return partitions_[number - first_];
}

/// The facts of the state that the other one has not.
std::span<const Id> NoveltyTable::lacking(const Word* other, const Word* state) {
  lacking_.clear();
  for (std::size_t w = 0; w < words_; ++w)
    for (Word rest = state[w] & ~other[w]; rest != 0; rest &= rest - 1)
      lacking_.push_back(static_cast<Id>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
  return lacking_;
}

/// Among few states: whether one of the facts makes a pair that none of them has.
bool NoveltyTable::has_new_pair(const Partition& p, const Word* state, std::span<const Id> facts) {
  row_.resize(words_);
  const Word* const end = p.states.data() + p.states.size();
  for (Id fact : facts) {
    std::ranges::fill(row_, 0);
    for (const Word* each = p.states.data(); each != end; each += words_)
      if (contains(each, fact))
        for (std::size_t w = 0; w < words_; ++w) row_[w] |= each[w];
    Word fresh = 0;
    for (std::size_t w = 0; w < words_; ++w) fresh |= state[w] & ~row_[w];
    if (fresh != 0) return true;
  }
  return false;
}

void NoveltyTable::keep(Partition& p, const Word* state) {
  if (p.states.size() == p.states.capacity()) {
    if (bytes_ >= max_bytes_) return forget_pairs(p);
    const std::size_t before = p.states.capacity();
    p.states.reserve(std::max(words_, 2 * before));
    bytes_ += (p.states.capacity() - before) * sizeof(Word);
  }
  p.states.insert(p.states.end(), state, state + words_);
  if (p.states.size() > kFew * words_) make_rows(p);
}

void NoveltyTable::forget_pairs(Partition& p) {
  bytes_ -= p.states.capacity() * sizeof(Word);
  p.states = {};
  p.narrow = true;
  ++narrow_partitions_;
}

void NoveltyTable::make_rows(Partition& p) {
  if (bytes_ >= max_bytes_) return forget_pairs(p);
  p.rows = std::make_unique<std::uint32_t[]>(facts_);
  bytes_ += facts_ * sizeof(std::uint32_t);
  const std::vector<Word> none(words_, 0);
  for (Id fact : lacking(none.data(), p.seen.get())) make_row(p, fact);
  const Word* state = p.states.data();
  for (Id fact : lacking(none.data(), state))
    if (p.rows[fact] != 0) std::copy_n(state, words_, row(p.rows[fact] - 1));
  const Word* const last = state + p.states.size() - words_;
  for (; state != last; state += words_)
    for (Id fact : lacking(state, state + words_)) learn_pairs(p, state + words_, fact);
  bytes_ -= p.states.capacity() * sizeof(Word);
  p.states = std::vector<Word>(last, last + words_);
  bytes_ += p.states.capacity() * sizeof(Word);
}

void NoveltyTable::make_row(Partition& p, Id fact) {
  if (rows_ == blocks_.size() * kRows) {
    if (bytes_ >= max_bytes_) {
      ++missing_rows_;
      return;
    }
    blocks_.push_back(std::make_unique<Word[]>(kRows * words_));
    bytes_ += kRows * words_ * sizeof(Word);
  }
  p.rows[fact] = ++rows_;
}

void NoveltyTable::fetch_row(const Partition& p, Id fact) const {
  if (p.rows[fact] != 0) prefetch(row(p.rows[fact] - 1), words_);
}

/// Enters the pairs of the fact with facts of the state; whether one of them is new. A pair stands in both rows.
bool NoveltyTable::learn_pairs(Partition& p, const Word* state, Id fact) {
  if (p.rows[fact] == 0) return false;
  Word* const mine = row(p.rows[fact] - 1);
  Word fresh = 0;
  for (std::size_t w = 0; w < words_; ++w) fresh |= state[w] & ~mine[w];
  if (fresh == 0) return false;
  bool found = false;
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word news = state[w] & ~mine[w]; news != 0; news &= news - 1) {
      const std::size_t other = w * 64 + static_cast<std::size_t>(std::countr_zero(news));
      if (p.rows[other] == 0) continue;
      insert(row(p.rows[other] - 1), fact);
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
