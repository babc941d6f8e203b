#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "landmarks/graph.hpp"
#include "task/changes.hpp"

namespace banditplan {

/// A set of landmarks as bits.
using LandmarkWord = std::uint32_t;
using LandmarkSet = std::span<LandmarkWord>;
using ConstLandmarkSet = std::span<const LandmarkWord>;

/// What is known about the landmarks in a state that was reached on some paths: on all of them the landmark has been
/// true (*past*); on one of them, it must become true again or for the first time, or should (*future*).
struct LandmarkStatus {
  LandmarkSet past, future;
};

/// What an action made of the landmarks; one may be listed twice.
struct LandmarkChanges {
  std::vector<Id> gained, lost;  // false before and true now, true before and false now
};

/// The rules by which the status of a state follows from that of its parent (Richter and Westphal 2010, "The LAMA
/// planner"; Büchner, Keller, Eriksson and Helmert 2023, "Landmark progression in heuristic search").
class Progression {
 public:
  Progression(const Task& task, const LandmarkGraph& graph, Monitor& monitor);

  /// Words of a set.
  std::size_t words() const { return words_; }

  /// As if all that is false had just been lost.
  void start(const Id* initial_state, LandmarkChanges& changes, LandmarkStatus status) const;
  /// What an action made of the landmarks between a state and its parent.
  void find_changes(Id action, const Id* parent, const Id* state, LandmarkChanges& changes) const;
  /// `before` is the status of the parent. Only what the action made true or false is looked at: the rules hold in the
  /// parent, what is true there is past, goals that are false there are future, and what is past stays past.
  void progress(LandmarkStatus before, const LandmarkChanges& changes, LandmarkStatus after) const;

  /// Whether no plan goes on from here: a landmark of `lost`, which are false, must become true, because it is a goal,
  /// or was not true on a path, or is needed immediately before one that was not true on a path; and no action ever
  /// makes it true. Every plan from here, put behind that path, is a plan of the task: so it must make the landmark
  /// true. Reasonable orders promise nothing and do not count. What was false in the parent already has been looked at
  /// there.
  bool is_dead_end(LandmarkStatus status, std::span<const Id> lost) const;

 private:
  void find_changes_of(Id variable, const Id* parent, const Id* state, LandmarkChanges& changes) const;
  bool is_true(Id landmark, const Id* state) const;
  /// Whether one of the landmark's set was not true on a path.
  bool is_open(const std::vector<LandmarkWord>& sets, Id landmark, LandmarkStatus status) const;

  const Task& task_;
  std::shared_ptr<const ChangedVariables> changed_;
  std::size_t landmarks_, words_;
  bool reachable_;
  Lists<Id> facts_;          // per landmark
  Lists<Id> made_true_;      // per fact of a variable: the landmarks that are true when it is
  std::vector<char> plain_;  // per landmark: it is one fact, not negated
  std::vector<Id> derived_;  // derived variables that landmarks mention
  std::vector<LandmarkWord> goals_;
  std::vector<LandmarkWord> wanted_;        // landmarks that come after one that is false at first
  std::vector<LandmarkWord> unachievable_;  // landmarks that nothing makes true
  std::vector<LandmarkWord> users_;         // per landmark: those that need it immediately before
  std::vector<LandmarkWord> earlier_;       // per landmark: those that should come before it
};

/// How many landmarks are in the set.
Id count(ConstLandmarkSet set);

}  // namespace banditplan
