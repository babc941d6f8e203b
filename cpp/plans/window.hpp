#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "plans/work.hpp"
#include "task/axioms.hpp"
#include "task/task.hpp"

namespace banditplan {

/// Looks for a better way through a part of a plan, a window: by A*, over the variables that the window changes.
///
/// Actions may take part if they change one of these and leave all others alone that the rest of the plan needs. The
/// goal is the values that the window leaves to the variables which are needed. The lower bound adds up, for each of
/// these, the cheapest way of its own from value to value, where an action that changes several of them counts for each
/// with its part.
class WindowSearch {
 public:
  WindowSearch(const Task& task, Work& work, Monitor& monitor);

  enum class Outcome { better, best, unknown };
  /// Whether there is a cheaper or, at the same cost, shorter way than `window` from the state `before` it to one that
  /// agrees with that `after` it in what is `needed`: then it is `way()`, the best one. It gives up, `unknown`, when it
  /// has spent `most` work.
  Outcome improve(std::span<const Id> window, const Id* before, const Id* after, const std::vector<char>& needed,
                  std::int64_t most);
  const std::vector<Id>& way() const { return way_; }

 private:
  /// Cost, and then length.
  using Weight = std::int64_t;
  static constexpr Weight kStep = 1, kCost = 1024, kInfinite = std::numeric_limits<Weight>::max() / 2;

  struct Candidate {
    Id action;
    Id next;  // in its bucket
  };
  /// A way for one variable from one value, or from any, to another.
  struct Transition {
    Id place;  // of the variable
    Id from;   // -1: any
    Id to;
    Weight weight;
  };
  struct Node {
    Weight g;
    Id parent, action;
  };
  struct Open {
    Weight f, g;
    Id node;
    /// Whether this one comes later.
    bool operator<(const Open& other) const {
      return f != other.f ? f > other.f : g != other.g ? g < other.g : node > other.node;
    }
  };

  void choose_variables(std::span<const Id> window, const Id* after, const std::vector<char>& needed);
  void choose_actions(const std::vector<char>& needed);
  bool may_take_part(Id action, const std::vector<char>& needed) const;
  bool is_possible(Id action) const;
  void file(Id action);
  void bound_from_below();
  void relax_transitions();

  Outcome search(Weight bound, std::int64_t most);
  void expand(Id node, Weight bound);
  void try_candidates(Id first, Id node, Weight bound);
  void reach(Id parent, Id action, Weight bound);
  bool is_goal(const Id* values) const;
  Weight distance(const Id* values) const;
  void arrive(const Node& way, Weight bound);
  Id find_or_insert(const Id* values);
  std::size_t slot_of(const Id* values) const;
  void grow();
  void trace_back(Id node);

  void track(Id variable);
  const Id* values(Id node) const { return values_.data() + static_cast<std::size_t>(node) * tracked_.size(); }
  Weight weight(Id action) const { return task_.costs[action] * kCost + kStep; }
  void spend(std::int64_t units) {
    work_.spend(units);
    spent_ += units;
  }

  const Task& task_;
  Work& work_;
  Monitor& monitor_;
  AxiomEvaluator axioms_;
  Lists<Id> setters_;  // per variable: the actions with an effect on it

  // Of the window
  std::int64_t spent_ = 0;
  std::vector<Id> state_;              // all variables
  std::vector<Id> tracked_;            // variables that may change; those of the window come first
  std::vector<Id> place_;              // per variable: in tracked_, or -1
  std::vector<Id> targets_;            // per variable of the window: the value that is needed, or -1
  std::vector<Id> actions_;            // that may take part
  std::vector<char> seen_;             // per action: whether it was looked at
  std::vector<Candidate> candidates_;  // in buckets, by one of their preconditions
  std::vector<Id> buckets_;            // per fact: the first of its candidates, or -1
  Id anywhere_ = -1;                   // those without such a precondition
  std::vector<Id> filled_;             // facts whose buckets are not empty
  std::vector<Transition> transitions_;
  std::vector<std::vector<Weight>> distances_;  // per variable of the window, per value: to the target

  // Of its search
  std::vector<Node> nodes_;
  std::vector<Id> values_;  // per node: of the tracked variables
  std::vector<Id> slots_;   // a hash table of nodes
  std::priority_queue<Open> open_;
  std::vector<Id> successor_, way_;
};

}  // namespace banditplan
