#include "searches/gbfs.hpp"

#include <algorithm>

#include "searches/state_store.hpp"
#include "task/successors.hpp"

namespace banditplan {

namespace {

/// First in, first out among states with equal h.
class BucketQueue {
 public:
  void push(Id h, Id state) {
    if (buckets_.size() <= static_cast<std::size_t>(h)) buckets_.resize(static_cast<std::size_t>(h) + 1);
    buckets_[h].states.push_back(state);
    lowest_ = std::min(lowest_, static_cast<std::size_t>(h));
  }
  /// The next state, or -1.
  Id pop() {
    for (; lowest_ < buckets_.size(); ++lowest_) {
      Bucket& bucket = buckets_[lowest_];
      if (bucket.next < bucket.states.size()) return bucket.states[bucket.next++];
      bucket = {};
    }
    return -1;
  }

 private:
  struct Bucket {
    std::vector<Id> states;
    std::size_t next = 0;
  };
  std::vector<Bucket> buckets_;
  std::size_t lowest_ = 0;
};

class GreedySearch {
 public:
  GreedySearch(const Task& task, const SearchLimits& limits, const Heuristic& heuristic, Monitor& monitor,
               SearchResult& result)
      : task_(task),
        limits_(limits),
        monitor_(monitor),
        result_(result),
        evaluator_(heuristic.bind(task)),
        safe_(heuristic.safe()),
        successors_(task),
        applier_(task),
        axioms_(task),
        states_(task),
        state_(task.variables.size()) {}

  void run() {
    if (holds(task_, task_.goal, task_.initial_state.data())) return finish(Status::solved);
    states_.insert(task_.initial_state.data());
    origins_.push_back({-1, -1});
    batch_ = {0};
    batch_states_ = task_.initial_state;
    while (true) {
      if (!evaluate_batch()) return finish(Status::evaluation_limit);
      const Id state = open_.pop();
      if (state < 0) return finish(safe_ ? Status::unsolvable : Status::exhausted);
      if (limits_.expansions && result_.expansions >= *limits_.expansions) return finish(Status::expansion_limit);
      const Id goal = expand(state);
      if (goal >= 0) {
        trace_plan(goal);
        return finish(Status::solved);
      }
    }
  }

 private:
  struct Origin {
    Id parent;
    Id action;
  };

  void finish(Status status) { result_.status = status; }

  /// Generates the successors; the new ones wait in the batch. Returns a goal state, or -1.
  Id expand(Id state) {
    monitor_.check();
    ++result_.expansions;
    states_.load(state, state_.data());
    axioms_.evaluate(state_.data());
    actions_.clear();
    successors_.applicable(state_.data(), actions_);
    for (Id action : actions_) {
      ++result_.generated;
      const std::size_t begin = batch_states_.size();
      batch_states_.resize(begin + state_.size());
      Id* successor = batch_states_.data() + begin;
      applier_.apply(action, state_.data(), successor);
      const StateStore::Entry entry = states_.insert(successor);
      if (!entry.is_new) {
        batch_states_.resize(begin);
        continue;
      }
      origins_.push_back({state, action});
      if (holds(task_, task_.goal, successor)) return entry.id;
      batch_.push_back(entry.id);
    }
    return -1;
  }

  /// Evaluates the waiting states and opens those that are no dead ends; false at the limit.
  bool evaluate_batch() {
    std::size_t count = batch_.size();
    if (limits_.evaluations)
      count = std::min(count, static_cast<std::size_t>(*limits_.evaluations - result_.evaluations));
    values_.resize(count);
    evaluator_->evaluate({batch_states_.data(), count * state_.size()}, values_, nullptr);
    for (std::size_t i = 0; i < count; ++i) {
      const Id h = values_[i];
      ++result_.evaluations;
      if (h == kDeadEnd) {
        ++result_.dead_ends;
        continue;
      }
      if (result_.evaluations == 1) result_.initial_h = h;
      if (!result_.best_h || h < *result_.best_h) result_.best_h = h;
      open_.push(h, batch_[i]);
    }
    monitor_.progress = {result_.evaluations, result_.expansions, result_.best_h};
    const bool complete = count == batch_.size();
    batch_.clear();
    batch_states_.clear();
    return complete;
  }

  void trace_plan(Id state) {
    for (; origins_[state].parent >= 0; state = origins_[state].parent) result_.plan.push_back(origins_[state].action);
    std::ranges::reverse(result_.plan);
  }

  const Task& task_;
  const SearchLimits& limits_;
  Monitor& monitor_;
  SearchResult& result_;
  std::unique_ptr<Evaluator> evaluator_;
  bool safe_;
  SuccessorGenerator successors_;
  Applier applier_;
  AxiomEvaluator axioms_;
  StateStore states_;
  BucketQueue open_;
  std::vector<Origin> origins_;      // per state
  std::vector<Id> state_, actions_;  // the state under expansion
  std::vector<Id> batch_;            // states to be evaluated,
  std::vector<Id> batch_states_;     // unpacked, and
  std::vector<Id> values_;           // their values
};

}  // namespace

void Gbfs::run(const Task& task, const SearchLimits& limits, std::uint64_t, Monitor& monitor,
               SearchResult& result) const {
  GreedySearch(task, limits, *heuristic, monitor, result).run();
}

}  // namespace banditplan
