#pragma once

#include <cstdint>
#include <vector>

#include "landmarks/ways.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Which facts can be reached from the initial state without deletes if some facts are never true: up to 64 such
/// questions at once, each in a bit of a word per fact.
class Reachability {
 public:
  using Lanes = std::uint64_t;
  static constexpr std::size_t kLanes = 64;

  Reachability(const Task& task, const Ways& ways, Monitor& monitor);

  /// Without exclusions.
  bool reachable(Id fact) const { return reachable_[fact] != 0; }
  /// The way that reached a reachable fact first, without exclusions; -1 if it was true from the start.
  Id supporter(Id fact) const { return supporters_[fact]; }

  /// Lane i of the result, a word per fact, says what is reached if no fact of `excluded[i]` is ever true. Then no
  /// action that surely makes one of them true is ever applied, and none is true in the initial state; except that
  /// a fact of the initial state is only hidden: nobody may need it, but actions that add it go on.
  std::vector<Lanes> run(std::span<const std::span<const Id>> excluded);

 private:
  void explore();
  void exclude(Id fact, Lanes lane);
  Lanes fire(std::size_t position, std::vector<Lanes>& reached) const;
  void mark_readers(Id fact, std::size_t below);

  const Task& task_;
  const Ways& ways_;
  Monitor& monitor_;
  std::vector<Id> initial_;           // facts that are true in the initial state, or granted
  std::vector<char> is_initial_;      // per fact
  std::vector<char> reachable_;       // per fact
  std::vector<Id> supporters_;        // per fact
  std::vector<Id> order_;             // ways in the order in which they fire without exclusions; the others never do
  std::vector<Id> positions_;         // per way: its place in `order_`; -1: none
  Lists<Id> needs_, adds_, readers_;  // of the ways in that order; per fact, their positions

  // During a run.
  std::vector<Lanes> barred_facts_, barred_ways_;
  std::vector<Id> touched_facts_, touched_ways_;
  std::vector<std::uint64_t> dirty_;  // a bit per position
};

}  // namespace banditplan
