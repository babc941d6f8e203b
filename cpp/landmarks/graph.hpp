#pragma once

#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// How landmarks follow each other, the stronger the larger. Axioms work within a state: where B is derived, A may come
/// true together with B.
enum class OrderKind : std::uint8_t {
  reasonable,        // it is sensible to have A before B; nothing is promised
  natural,           // A is true at some time before B is true for the first time
  greedy_necessary,  // A is true immediately before B becomes true for the first time
};

struct LandmarkOrder {
  Id from = 0;
  Id to = 0;
  OrderKind kind = OrderKind::natural;
};

/// Sets of facts, of which every plan makes one true at some time, and their orders (Richter, Helmert and Westphal
/// 2008, "Landmarks revisited").
struct LandmarkGraph {
  std::size_t size() const { return facts.size(); }
  bool disjunctive(std::size_t landmark) const { return facts[landmark].size() > 1; }

  Lists<Id> facts;                    // per landmark: one fact, or two to four of one predicate
  std::vector<char> initial, goal;    // per landmark: true in the initial state; a fact of the goal
  std::vector<char> achievable;       // per landmark: something may make it true
  bool reachable = true;              // false: a landmark that was never true can not be reached; there is no plan
  std::vector<LandmarkOrder> orders;  // by `from`, then `to`; one per pair, the strongest
};

/// Sorts the orders; where there are several for a pair, the strongest stays.
void keep_strongest_orders(LandmarkGraph& graph);

/// The landmarks found backwards from the goal and, if `complete`, all single facts without which the goal cannot be
/// reached even if nothing is ever deleted.
LandmarkGraph find_landmarks(const Task& task, bool complete, Monitor& monitor);

/// The facts without which the goal cannot be reached if nothing is ever deleted, ascending: for a fact that is false
/// in the initial state, without actions that make it true; for one that is true, without anybody who needs it.
/// Only the goal's facts if the goal cannot be reached at all.
std::vector<Id> find_fact_landmarks(const Task& task, Monitor& monitor);

}  // namespace banditplan
