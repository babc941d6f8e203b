#pragma once

#include "heuristics/heuristic.hpp"
#include "novelty/news.hpp"
#include "novelty/novelty_table.hpp"

namespace banditplan {

/// The size of the smallest set of facts that holds in a state and in no earlier state of its partition (Lipovetzky
/// and Geffner 2017, "Best-first width search"): 1, 2, or the width + 1 for more. An evaluator of paths; the `key`
/// names the partition by values of other evaluators.
class Novelty {
 public:
  Novelty(const Task& task, int width, std::size_t max_bytes, Monitor& monitor)
      : news_(task, monitor),
        table_(static_cast<std::size_t>(task.negated_facts_begin), news_.words(), width, max_bytes) {}

  Id start(Id state, const Id* values, std::span<const Id> key) { return enter(news_.start(state, values, key)); }
  Id evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values, std::span<const Id> key) {
    return enter(news_.read(parent, action, state, values, parent_values, key));
  }

  /// Every state is new again. For the variant that forgets when a heuristic reaches a new minimum: before the state
  /// that reached it is evaluated.
  void forget() {
    news_.forget();
    table_.clear(news_.partitions());
  }

  const NoveltyTable& table() const { return table_; }

 private:
  Id enter(const News& news) { return table_.enter(news.partition, news.state, news.facts, news.all); }

  NewsReader news_;
  NoveltyTable table_;
};

}  // namespace banditplan
