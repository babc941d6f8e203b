#pragma once

#include <cstdint>

namespace banditplan {

/// The number of states that are evaluated at once, and the cost that means "not reached, or too large to tell".
constexpr int kLanes = 32;
constexpr std::uint16_t kLaneUnreached = 0xffff;

/// A network as plain arrays. Lists are stored back to back: list i is [begin[i], begin[i + 1]).
struct LaneNetwork {
  std::int32_t operators = 0;
  std::int32_t facts = 0;
  const std::uint32_t* precondition_begin = nullptr;
  const std::int32_t* precondition = nullptr;
  const std::uint32_t* add_begin = nullptr;
  const std::int32_t* add = nullptr;
  const std::int32_t* operator_cost = nullptr;    // 0 for axioms, or 1
  const std::uint32_t* achiever_begin = nullptr;  // per fact: ways
  const std::int32_t* achiever_operator = nullptr;
  const std::int32_t* achiever_action = nullptr;  // -1: an axiom
  const std::int32_t* goal = nullptr;
  std::int32_t goals = 0;
  const std::uint8_t* is_goal = nullptr;
  const std::uint8_t* is_derived = nullptr;  // per fact, if there are axioms, which cost nothing
};

/// Operators at positions of a schedule: a bit each, and the number of the word of 64.
struct LaneWake {
  std::uint64_t operators = 0;
  std::int32_t word = 0;
};

/// The order of a sweep. At position i there is an operator. facts[bounds[2i]] is the only goal to which it leads, or
/// the number of facts; then come, up to bounds[2i + 1], the facts that it needs, the one that usually comes last
/// first, and up to bounds[2i + 2] those that it adds.
struct LaneSchedule {
  std::int32_t operators = 0;
  bool has_single_goals = false;  // whether many operators have one
  const std::uint32_t* bounds = nullptr;
  const std::int32_t* facts = nullptr;
  const LaneWake* wakes = nullptr;  // per fact: the operators that need it, by words, ascending
  const std::uint32_t* wake_begin = nullptr;
  const std::uint32_t* wake_end = nullptr;
  const std::uint16_t* costs = nullptr;  // per position, if there are axioms: theirs cost 0, others 1
};

/// The state of an exploration in all lanes.
struct LaneScratch {
  std::uint16_t* costs = nullptr;  // kLanes numbers per fact, and in one more row, for sweeps, of the dearest goal
  std::uint64_t* dirty = nullptr;  // a bit per position: operators to look at; all zero between runs
};

/// What a way needs that costs something, in lanes of its tie.
struct LaneNeed {
  std::int32_t fact = 0;
  std::uint32_t lanes = 0;
  std::uint32_t link = 0;  // of these, the lanes in which all else that the way needs costs nothing
};

/// A way that achieves a fact as cheaply as any, in some lanes.
struct LaneTie {
  std::int32_t achiever = 0;  // of the network's
  std::uint32_t lanes = 0;
  std::uint32_t free = 0;       // of these, the lanes in which all that it needs costs nothing
  std::uint32_t needs_end = 0;  // its needs follow those of the tie before
};

/// The state of an extraction in all lanes; masks are zero between runs.
struct LanePlan {
  std::uint32_t* done = nullptr;     // per fact: the lanes in which it is or will be supported
  std::uint32_t* pending = nullptr;  // per fact: of these, the lanes that wait in the queue
  std::int32_t* queue = nullptr;     // facts; room for all
  std::uint32_t* in_plan = nullptr;  // per action: lanes
  std::int32_t* touched = nullptr;   // actions that are in a plan; room for all
  std::int32_t touched_count = 0;
  std::int32_t* marked = nullptr;  // facts with `done` lanes; room for all
  std::int32_t marked_count = 0;
  std::uint32_t* first_layer = nullptr;  // per fact: lanes in which an applicable action supports it
  std::uint16_t* length = nullptr;       // per lane: the number of actions
};

/// The vector programs for one instruction set.
struct LaneProgram {
  const char* name;
  /// Lowers the costs (initialised with 0 for true facts, kLaneUnreached for others) to the fixpoint of the operators
  /// of the schedule; costs that cannot matter for the goal may stay too high. `add`: costs of preconditions are added,
  /// else their maximum counts. `alternating`: every other pass goes from back to front, if there are no axioms.
  /// Returns how often a cost was changed.
  std::int64_t (*sweep)(const LaneNetwork& network, const LaneSchedule& schedule, LaneScratch& scratch, bool add,
                        bool alternating);
  /// After a sweep: the lanes in which all goals are reached.
  std::uint32_t (*with_goal)(const LaneNetwork& network, const LaneScratch& scratch);
  /// Extracts relaxed plans in the given lanes, after a sweep with `add`, if there are no axioms.
  void (*extract)(const LaneNetwork& network, const LaneScratch& scratch, std::uint32_t lanes, LanePlan& plan);
  /// After a sweep with `add`: the cheapest ways to the fact, in their order, in those of the lanes in which it costs
  /// something; of actions the first one of every lane, of axioms all. Returns their number; there must be room for
  /// all achievers and all that they need.
  std::int32_t (*find_ties)(const LaneNetwork& network, const LaneScratch& scratch, std::int32_t fact,
                            std::uint32_t lanes, LaneTie* ties, LaneNeed* needs);
  /// Whether a reached fact costs more than the limit in any of the lanes.
  bool (*any_above)(const LaneNetwork& network, const LaneScratch& scratch, std::uint32_t lanes, std::uint16_t limit);
  /// The lanes of `lanes` in which all facts of the list are true.
  std::uint32_t (*all_true)(const LaneScratch& scratch, const std::int32_t* facts, std::int32_t count,
                            std::uint32_t lanes);
  /// Where two arrays of that length differ, ascending. Returns the number of places; there must be room for all.
  std::int32_t (*differences)(const std::int32_t* a, const std::int32_t* b, std::int32_t length, std::int32_t* places);
};

/// The best program for this machine, or the one with the given name (plain, avx2, avx512); none if the name is unknown
/// or this machine cannot run it.
const LaneProgram* find_lane_program(const char* name = nullptr);

}  // namespace banditplan
