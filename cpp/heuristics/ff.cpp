#include "heuristics/ff.hpp"

#include <algorithm>

#include "heuristics/relaxed_network.hpp"

namespace banditplan {

namespace {

/// Sums stop growing here; a cost this large still means "reached".
constexpr Id kSaturated = 1 << 30;
constexpr Id kUnreached = kDeadEnd;

/// A monotone priority queue of facts: what is pushed is never cheaper than what was popped last.
/// First in, first out among equals.
class CostQueue {
 public:
  void clear() {
    for (std::size_t i = current_; i < buckets_.size(); ++i) buckets_[i].clear();
    heap_.clear();
    current_ = next_ = 0;
    pushed_ = 0;
  }
  void push(Id cost, Id fact) {
    if (cost < kBuckets) {
      if (buckets_.size() <= static_cast<std::size_t>(cost)) buckets_.resize(cost + 1);
      buckets_[cost].push_back(fact);
    } else {
      heap_.push_back({cost, pushed_++, fact});
      std::ranges::push_heap(heap_, std::ranges::greater{});
    }
  }
  /// The cheapest cost, or kUnreached.
  Id peek() {
    for (; current_ < buckets_.size(); ++current_, next_ = 0) {
      if (next_ < buckets_[current_].size()) return static_cast<Id>(current_);
      buckets_[current_].clear();
    }
    return heap_.empty() ? kUnreached : heap_.front().cost;
  }
  /// To be called after peek().
  Id pop() {
    if (current_ < buckets_.size()) return buckets_[current_][next_++];
    std::ranges::pop_heap(heap_, std::ranges::greater{});
    const Id fact = heap_.back().fact;
    heap_.pop_back();
    return fact;
  }

 private:
  static constexpr Id kBuckets = 4096;
  struct Entry {
    Id cost;
    std::uint32_t order;
    Id fact;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<std::vector<Id>> buckets_;
  std::vector<Entry> heap_;
  std::size_t current_ = 0, next_ = 0;
  std::uint32_t pushed_ = 0;
};

class FfEvaluator : public Evaluator {
 public:
  explicit FfEvaluator(const Task& task) : task_(task), network_(task) {
    for (std::size_t op = 0; op < network_.operators(); ++op) {
      missing_at_start_.push_back(static_cast<Id>(network_.preconditions[op].size()));
      cost_at_start_.push_back(network_.is_axiom(static_cast<Id>(op)) ? 0 : 1);
    }
    cost_.resize(network_.facts);
    step_.resize(network_.facts);
    supporter_.resize(network_.facts);
    in_plan_.assign(task.actions(), false);
    marked_.assign(network_.facts, false);
  }

  void evaluate(std::span<const Id> states, std::span<Id> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      explore(states.data() + i * task_.variables.size());
      values[i] = goal_reached() ? extract() : kDeadEnd;
    }
  }

 private:
  /// Costs of all facts by hadd, in the order of Dijkstra's algorithm, until the goal's costs are final.
  void explore(const Id* state) {
    std::ranges::fill(cost_, kUnreached);
    missing_ = missing_at_start_;
    sum_ = cost_at_start_;
    queue_.clear();
    for (std::size_t v = 0; v < task_.variables.size(); ++v) {
      reach(task_.variables[v].first_fact + state[v], 0, 0, -1);
      for (Id fact : network_.negated[v])
        if (task_.facts[fact].value != state[v]) reach(fact, 0, 0, -1);
    }
    for (Id fact : network_.always) reach(fact, 0, 0, -1);
    for (Id op : network_.free) fire(op, 0);
    const bool has_axioms = task_.axioms() > 0;
    Id done = -1;
    for (Id cost = queue_.peek(); cost != kUnreached; cost = queue_.peek()) {
      // Whatever a cheaper fact leads to has been seen; with unit costs that includes all supporters up to here.
      if (cost > done && !has_axioms && goal_within(cost)) return;
      done = cost;
      const Id fact = queue_.pop();
      if (cost_[fact] < cost) continue;
      for (Id op : network_.readers[fact]) {
        sum_[op] = std::min(sum_[op] + cost, kSaturated);
        if (--missing_[op] == 0) fire(op, sum_[op] == cost ? step_[fact] + 1 : 0);
      }
    }
  }

  void fire(Id op, Id step) {
    for (Id fact : network_.adds[op]) reach(fact, sum_[op], step, op);
  }

  /// An operator without cost (an axiom) may reach a fact at the cost of its own precondition: `step` counts such
  /// links, so that supporters, ordered by (cost, step), cannot form a cycle. Equals go to the smaller operator.
  void reach(Id fact, Id cost, Id step, Id op) {
    if (cost < cost_[fact]) {
      cost_[fact] = cost;
      step_[fact] = step;
      supporter_[fact] = op;
      queue_.push(cost, fact);
    } else if (cost == cost_[fact] && step == step_[fact] && op < supporter_[fact] && cost < kSaturated) {
      supporter_[fact] = op;
    }
  }

  bool goal_within(Id cost) const {
    return std::ranges::all_of(task_.goal, [&](Id fact) { return cost_[fact] <= cost; });
  }
  bool goal_reached() const {
    return std::ranges::all_of(task_.goal, [&](Id fact) { return cost_[fact] != kUnreached; });
  }

  /// Collects the supporters backwards from the goal; returns the number of distinct actions.
  Id extract() {
    stack_.clear();
    marks_.clear();
    plan_.clear();
    auto mark = [&](Id fact) {
      if (marked_[fact] || supporter_[fact] < 0) return;
      marked_[fact] = true;
      marks_.push_back(fact);
      stack_.push_back(fact);
    };
    for (Id fact : task_.goal) mark(fact);
    while (!stack_.empty()) {
      const Id op = supporter_[stack_.back()];
      stack_.pop_back();
      const Id action = network_.owner[op];
      if (action >= 0 && !in_plan_[action]) {
        in_plan_[action] = true;
        plan_.push_back(action);
      }
      for (Id fact : network_.preconditions[op]) mark(fact);
    }
    for (Id fact : marks_) marked_[fact] = false;
    for (Id action : plan_) in_plan_[action] = false;
    return static_cast<Id>(plan_.size());
  }

  const Task& task_;
  RelaxedNetwork network_;
  std::vector<Id> missing_at_start_, cost_at_start_;  // per operator
  std::vector<Id> missing_, sum_;                     // per operator: preconditions to come, cost so far
  std::vector<Id> cost_, step_, supporter_;           // per fact
  CostQueue queue_;
  std::vector<Id> stack_, marks_, plan_;
  std::vector<bool> in_plan_, marked_;
};

}  // namespace

std::unique_ptr<Evaluator> Ff::bind(const Task& task) const { return std::make_unique<FfEvaluator>(task); }

}  // namespace banditplan
