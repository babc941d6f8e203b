#pragma once

#include "novelty/bloom_filter.hpp"
#include "novelty/novelty.hpp"
#include "random.hpp"

namespace banditplan {

/// Novelty up to a width of 3 and more (Singh, Lipovetzky, Ramírez and Segovia-Aguas 2021, "Approximate novelty
/// search"): exact for single facts and pairs; of larger sets some are sampled from each state, and a Bloom filter
/// remembers them. Sets that were never sampled are overlooked.
class ApproximateNovelty {
 public:
  struct Options {
    int width = 3;
    std::size_t samples = 64;                      // per state and size of sets
    std::size_t max_bytes = std::size_t{1} << 30;  // of the exact part
    std::size_t filter_bytes = std::size_t{1} << 26;
    std::uint64_t seed = 1;
  };

  ApproximateNovelty(const Task& task, const Options& options, Monitor& monitor);

  Id start(Id state, const Id* values, std::span<const Id> key) {
    return enter(news_.start(state, values, key), values);
  }
  Id evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values, std::span<const Id> key) {
    return enter(news_.read(parent, action, state, values, parent_values, key), values);
  }
  void forget();

  const NoveltyTable& table() const { return table_; }
  const BloomFilter& filter() const { return filter_; }

 private:
  Id enter(const News& news, const Id* values);
  /// A set of the given size with one of the facts, as a hash.
  std::uint64_t sample(std::span<const Id> facts, const Id* values, int size);

  const Task& task_;
  Options options_;
  NewsReader news_;
  NoveltyTable table_;
  BloomFilter filter_;
  Random random_;
  std::vector<std::uint64_t> hashes_;  // per fact
  std::vector<Id> chosen_;             // variables
};

}  // namespace banditplan
