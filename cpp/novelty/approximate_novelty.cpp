#include "novelty/approximate_novelty.hpp"

#include <algorithm>

namespace banditplan {

ApproximateNovelty::ApproximateNovelty(const Task& task, const Options& options, Monitor& monitor)
    : task_(task),
      options_(options),
      news_(task, monitor),
      table_(static_cast<std::size_t>(task.negated_facts_begin), news_.words(), 2, options.max_bytes),
      filter_(options.filter_bytes),
      random_(options.seed) {
  for (Id fact = 0; fact < task.negated_facts_begin; ++fact) hashes_.push_back(random_.next());
}

void ApproximateNovelty::forget() {
  news_.forget();
  table_.clear(news_.partitions());
  filter_.clear();
}

Id ApproximateNovelty::enter(const News& news, const Id* values) {
  Id result = table_.enter(news.partition, news.state, news.facts, news.all);
  if (result > 2) result = options_.width + 1;
  const auto most = std::min(options_.width, static_cast<int>(task_.variables.size()));
  if (news.facts.empty()) return result;
  const std::uint64_t partition = static_cast<std::uint64_t>(news.partition) * 0xc2b2ae3d27d4eb4full;
  for (int size = 3; size <= most; ++size)
    for (std::size_t i = 0; i < options_.samples; ++i)
      if (filter_.insert(sample(news.facts, values, size) + partition)) result = std::min<Id>(result, size);
  return result;
}

std::uint64_t ApproximateNovelty::sample(std::span<const Id> facts, const Id* values, int size) {
  const Id first = facts[random_.below(static_cast<std::uint32_t>(facts.size()))];
  chosen_.assign(1, task_.facts[first].variable);
  std::uint64_t hash = hashes_[first];
  while (static_cast<int>(chosen_.size()) < size) {
    const auto variable = static_cast<Id>(random_.below(static_cast<std::uint32_t>(task_.variables.size())));
    if (std::ranges::find(chosen_, variable) != chosen_.end()) continue;
    chosen_.push_back(variable);
    hash += hashes_[task_.variables[variable].first_fact + values[variable]];
  }
  return hash;
}

}  // namespace banditplan
