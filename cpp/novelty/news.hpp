#pragma once

#include "novelty/fact_bits.hpp"
#include "novelty/partitions.hpp"

namespace banditplan {

/// What can be new about a state: only sets with a fact that its parent has not, if the parent is in its partition.
struct News {
  std::size_t partition = 0;
  const std::uint64_t* state = nullptr;  // its facts in bits
  std::span<const Id> facts;             // the facts of which a new set has one
  bool all = true;                       // these are all facts of the state
};

/// Puts states into partitions, in the order of their generation. What it returns is good until the next call.
class NewsReader {
 public:
  NewsReader(const Task& task, Monitor& monitor) : bits_(task, monitor) {}

  std::size_t words() const { return bits_.words(); }
  std::size_t partitions() const { return partitions_.size(); }

  News start(Id state, const Id* values, std::span<const Id> key) {
    bits_.set(values);
    return {enter(state, key), bits_.bits(), bits_.facts(), true};
  }

  News read(Id parent, Id action, Id state, const Id* values, const Id* parent_values, std::span<const Id> key) {
    bits_.set(parent, action, values, parent_values);
    const std::size_t partition = enter(state, key);
    const bool all = partition_of_[parent] != partition;
    if (all) bits_.list_all(values);
    return {partition, bits_.bits(), bits_.facts(), all};
  }

  /// All partitions are empty again.
  void forget() { partitions_.clear(); }

 private:
  std::size_t enter(Id state, std::span<const Id> key) {
    const std::size_t partition = partitions_.find(key);
    if (partition_of_.size() <= static_cast<std::size_t>(state))
      partition_of_.resize(static_cast<std::size_t>(state) + 1);
    partition_of_[state] = static_cast<std::uint32_t>(partition);
    return partition;
  }

  FactBits bits_;
  Partitions partitions_;
  std::vector<std::uint32_t> partition_of_;  // per state
};

}  // namespace banditplan
