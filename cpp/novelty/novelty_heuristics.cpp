#include "novelty/novelty_heuristics.hpp"

#include <algorithm>

#include "heuristics/goal_count.hpp"
#include "novelty/approximate_novelty.hpp"
#include "novelty/novelty.hpp"
#include "novelty/relaxed_plan_count.hpp"

namespace banditplan {

namespace {

constexpr std::size_t kShare = 4;  // one novelty takes no more than a quarter of the memory limit

/// For `Novelty` and `ApproximateNovelty`.
template <class Engine>
class NoveltyEvaluator : public PathEvaluator {
 public:
  NoveltyEvaluator(const NoveltyHeuristic& options, std::unique_ptr<Engine> engine)
      : engine_(std::move(engine)),
        worst_(static_cast<Value>(options.width) + 1),
        forgets_(options.forgets),
        prunes_(options.prunes),
        least_(options.heuristics.size(), kDeadEnd) {}

  Value evaluate(const Arrival& arrival) override {
    if (forgets_ && reaches_new_minimum(arrival.others)) engine_->forget();
    const auto state = static_cast<Id>(arrival.state);
    const Value novelty = arrival.parent == kNotStored
                              ? engine_->start(state, arrival.values, arrival.others)
                              : engine_->evaluate(static_cast<Id>(arrival.parent), static_cast<Id>(arrival.action),
                                                  state, arrival.values, arrival.parent_values, arrival.others);
    return prunes_ && novelty >= worst_ ? kDeadEnd : novelty;
  }

  std::vector<std::string> remarks() const override {
    const NoveltyTable& table = engine_->table();
    if (table.narrow_partitions() == 0 && table.missing_rows() == 0) return {};
    return {"novelty: at the bound on memory, " + std::to_string(table.narrow_partitions()) +
            " partitions know single facts only, and " + std::to_string(table.missing_rows()) +
            " facts have no pairs; a larger megabytes=… or memory limit moves the bound"};
  }

 private:
  bool reaches_new_minimum(std::span<const Value> values) {
    bool reached = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      reached = reached || (least_[i] != kDeadEnd && values[i] < least_[i]);
      least_[i] = std::min(least_[i], values[i]);
    }
    return reached;
  }

  std::unique_ptr<Engine> engine_;
  Value worst_;
  bool forgets_, prunes_;
  std::vector<Value> least_;  // per heuristic
};

class RelaxedPlanCountEvaluator : public PathEvaluator {
 public:
  RelaxedPlanCountEvaluator(const Task& task, Monitor& monitor) : count_(task, monitor) {}

  Value evaluate(const Arrival& arrival) override {
    const auto state = static_cast<Id>(arrival.state);
    if (arrival.parent == kNotStored) return count_.start(state, arrival.values, arrival.others[0]);
    return count_.evaluate(static_cast<Id>(arrival.parent), static_cast<Id>(arrival.action), state, arrival.values,
                           arrival.parent_values, arrival.others[0]);
  }

 private:
  RelaxedPlanCount count_;
};

bool same_partition(const NoveltyHeuristic& a, const NoveltyHeuristic& b) {
  return a.width == b.width && a.forgets == b.forgets && a.prunes == b.prunes && a.megabytes == b.megabytes &&
         std::ranges::equal(a.heuristics, b.heuristics,
                            [](const auto& first, const auto& second) { return first->same(*second); });
}

/// What the memory of a novelty is bounded by: its option, or a share of the limit that the whole process has.
std::size_t most_bytes(const NoveltyHeuristic& heuristic, const Monitor& monitor) {
  const std::size_t most = static_cast<std::size_t>(heuristic.megabytes) << 20;
  return monitor.memory_limit_kb ? std::min(most, *monitor.memory_limit_kb * 1024 / kShare) : most;
}

}  // namespace

Heuristic::Bound NoveltyHeuristic::bind(const Task& task, Monitor& monitor) const {
  return std::make_unique<NoveltyEvaluator<Novelty>>(
      *this, std::make_unique<Novelty>(task, static_cast<int>(width), most_bytes(*this, monitor), monitor));
}

bool NoveltyHeuristic::same(const Heuristic& other) const {
  return typeid(other) == typeid(*this) && same_partition(*this, static_cast<const NoveltyHeuristic&>(other));
}

Heuristic::Bound ApproximateNoveltyHeuristic::bind(const Task& task, Monitor& monitor) const {
  ApproximateNovelty::Options options;
  options.width = static_cast<int>(width);
  options.samples = static_cast<std::size_t>(samples);
  options.max_bytes = most_bytes(*this, monitor);
  options.filter_bytes = std::min(options.filter_bytes, options.max_bytes / kShare);
  return std::make_unique<NoveltyEvaluator<ApproximateNovelty>>(
      *this, std::make_unique<ApproximateNovelty>(task, options, monitor));
}

bool ApproximateNoveltyHeuristic::same(const Heuristic& other) const {
  return NoveltyHeuristic::same(other) && samples == static_cast<const ApproximateNoveltyHeuristic&>(other).samples;
}

Heuristic::Bound RelaxedPlanCountHeuristic::bind(const Task& task, Monitor& monitor) const {
  return std::make_unique<RelaxedPlanCountEvaluator>(task, monitor);
}

std::vector<HeuristicPointer> RelaxedPlanCountHeuristic::needs() const { return {std::make_shared<GoalCount>()}; }

}  // namespace banditplan
