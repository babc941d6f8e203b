#include "searches/gbfs.hpp"

#include <algorithm>
#include <map>

#include "searches/lookahead.hpp"

namespace banditplan {

namespace {

/// First in, first out among states with equal h. Values beyond the buckets are rare.
class BucketQueue {
 public:
  void push(Id h, Id state) {
    if (h >= kBuckets) {
      beyond_[h].states.push_back(state);
      return;
    }
    if (buckets_.size() <= static_cast<std::size_t>(h)) buckets_.resize(static_cast<std::size_t>(h) + 1);
    buckets_[h].states.push_back(state);
    lowest_ = std::min(lowest_, static_cast<std::size_t>(h));
  }
  /// Calls `visit(state)` for some of the states that come next, in order, until it returns false.
  template <class Visit>
  void visit_next(Visit&& visit) const {
    std::size_t left = kMostVisited;
    for (std::size_t h = lowest_; h < buckets_.size(); ++h)
      for (std::size_t i = buckets_[h].next; i < buckets_[h].states.size(); ++i)
        if (left-- == 0 || !visit(buckets_[h].states[i])) return;
  }
  /// The next state, or -1.
  Id pop() {
    for (; lowest_ < buckets_.size(); ++lowest_) {
      Bucket& bucket = buckets_[lowest_];
      if (bucket.next < bucket.states.size()) return bucket.states[bucket.next++];
      bucket = {};
    }
    if (beyond_.empty()) return -1;
    Bucket& bucket = beyond_.begin()->second;
    const Id state = bucket.states[bucket.next++];
    if (bucket.next == bucket.states.size()) beyond_.erase(beyond_.begin());
    return state;
  }

 private:
  static constexpr Id kBuckets = 1 << 16;
  static constexpr std::size_t kMostVisited = 128;
  struct Bucket {
    std::vector<Id> states;
    std::size_t next = 0;
  };
  std::vector<Bucket> buckets_;
  std::map<Id, Bucket> beyond_;
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
        expander_(task),
        states_(task),
        lookahead_(task) {}

  void run() {
    if (holds(task_, task_.goal, task_.initial_state.data())) return finish(Status::solved);
    states_.insert(task_.initial_state.data());
    origins_.push_back({-1, -1});
    children_ = {{0, Lookahead::kUnknown}};
    batch_ = task_.initial_state;
    while (true) {
      if (!open_children()) return finish(Status::evaluation_limit);
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
  struct Child {
    Id state;
    Id h;
  };

  void finish(Status status) { result_.status = status; }

  /// Generates the successors; the new ones become children, and those without a known value wait in the batch.
  /// Returns a goal state, or -1.
  Id expand(Id state) {
    monitor_.check();
    ++result_.expansions;
    Id goal = -1;
    expander_.expand(states_, state, [&](Id action, const std::vector<Id>& successor) {
      ++result_.generated;
      const StateStore::Entry entry = states_.insert(successor.data());
      if (!entry.is_new) return true;
      origins_.push_back({state, action});
      if (holds(task_, task_.goal, successor.data())) {
        goal = entry.id;
        return false;
      }
      const Id ahead = lookahead_.find(successor.data());
      children_.push_back({entry.id, ahead == Lookahead::kUnknown ? ahead : lookahead_.use(ahead)});
      if (ahead == Lookahead::kUnknown) batch_.insert(batch_.end(), successor.begin(), successor.end());
      return true;
    });
    return goal;
  }

  /// Opens the children that are no dead ends, in their order; false at the limit of evaluations.
  bool open_children() {
    evaluate_batch();
    for (const Child& child : children_) {
      if (limits_.evaluations && result_.evaluations >= *limits_.evaluations) return false;
      ++result_.evaluations;
      if (child.h == kDeadEnd) {
        ++result_.dead_ends;
        continue;
      }
      if (result_.evaluations == 1) result_.initial_h = child.h;
      if (!result_.best_h || child.h < *result_.best_h) result_.best_h = child.h;
      open_.push(child.h, child.state);
    }
    children_.clear();
    monitor_.progress = {result_.evaluations, result_.expansions, result_.best_h};
    return true;
  }

  /// Evaluates the waiting children, and with them, where lanes would be idle, successors of what comes next.
  void evaluate_batch() {
    if (batch_.empty()) return;
    const std::size_t width = task_.variables.size();
    const std::size_t waiting = batch_.size() / width;
    const std::size_t wanted = waiting + lookahead_.room(*evaluator_, waiting);
    if (wanted > waiting)
      open_.visit_next([&](Id state) {
        lookahead_.gather(state, states_, expander_, wanted, batch_);
        return batch_.size() < wanted * width;
      });
    values_.resize(batch_.size() / width);
    evaluator_->evaluate(batch_, values_, nullptr);
    std::size_t next = 0;
    for (Child& child : children_)
      if (child.h == Lookahead::kUnknown) child.h = values_[next++];
    lookahead_.enter({values_.data() + waiting, values_.size() - waiting}, nullptr, 0);
    batch_.clear();
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
  Expander expander_;
  StateStore states_;
  BucketQueue open_;
  Lookahead lookahead_;
  std::vector<Origin> origins_;  // per state
  std::vector<Child> children_;  // of the state under expansion
  std::vector<Id> batch_;        // states to be evaluated: first those of children, then others
  std::vector<Id> values_;
};

}  // namespace

void Gbfs::run(const Task& task, const SearchLimits& limits, std::uint64_t, Monitor& monitor,
               SearchResult& result) const {
  GreedySearch(task, limits, *heuristic, monitor, result).run();
}

}  // namespace banditplan
