// The vector programs; compiled once per instruction set. See lanes.hpp for the rules.

#include <cstddef>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#include "heuristics/lanes/lane_program.hpp"
#include "heuristics/lanes/lanes.hpp"

namespace banditplan::BANDITPLAN_ISA {

inline int lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER)
  unsigned long bit = 0;
  _BitScanForward64(&bit, bits);
  return static_cast<int>(bit);
#else
  return __builtin_ctzll(bits);
#endif
}

inline int highest_bit(std::uint64_t bits) {
#if defined(_MSC_VER)
  unsigned long bit = 0;
  _BitScanReverse64(&bit, bits);
  return static_cast<int>(bit);
#else
  return 63 - __builtin_clzll(bits);
#endif
}

inline std::uint16_t* lanes_of(const LaneScratch& scratch, std::int32_t fact) {
  return scratch.costs + static_cast<std::size_t>(fact) * kLanes;
}

/// What preconditions cost together.
template <bool kAdd>
inline Lanes total_cost(const LaneScratch& scratch, const std::int32_t* needs, const std::int32_t* end) {
  Lanes cost = broadcast(0);
  for (; needs < end; ++needs) {
    const Lanes next = load(lanes_of(scratch, *needs));
    cost = kAdd ? add_saturated(cost, next) : maximum(cost, next);
  }
  return cost;
}

/// What the dearest goal costs.
inline Lanes dearest_goal(const LaneNetwork& network, const LaneScratch& scratch) {
  Lanes worst = broadcast(0);
  for (std::int32_t i = 0; i < network.goals; ++i) worst = maximum(worst, load(lanes_of(scratch, network.goal[i])));
  return worst;
}

/// What a sweep is made for: any task, one with axioms, or one in which many operators lead to a single goal.
enum class Kind { any, axioms, single_goals };

/// Looks at every operator of the schedule once, in the given order, then again at those whose preconditions have
/// become cheaper, in the same order or, if it is alternating, there and back. Axioms cost nothing; going back does not
/// pay where there are any.
template <bool kAdd, Kind kKind>
struct Sweep {
  static constexpr bool kAxioms = kKind == Kind::axioms, kSingleGoals = kKind == Kind::single_goals;

  const LaneNetwork& network;
  const LaneSchedule& schedule;
  LaneScratch& scratch;
  Lanes worst_goal = broadcast(kLaneUnreached);  // what the dearest goal costs, or has cost; with axioms 1 more
  bool goal_changed = false;
  std::int32_t frontier = 0;  // operators in later words have not been looked at yet, and will be
  std::int32_t restart = 0;   // the lowest word of `dirty` that must be looked at in the next pass
  std::int64_t changes = 0;   // of costs

  void run(bool alternating) {
    const std::int32_t words = (schedule.operators + 63) / 64;
    if (kSingleGoals) store(lanes_of(scratch, network.facts), worst_goal);
    for (std::int32_t word = 0; word < words; ++word) scratch.dirty[word] = ~std::uint64_t{0};
    if (schedule.operators % 64 != 0) scratch.dirty[words - 1] = (std::uint64_t{1} << (schedule.operators % 64)) - 1;
    while (restart < words) {
      const std::int32_t begin = restart;
      restart = words;
      for (std::int32_t word = begin; word < words; ++word) {
        if (scratch.dirty[word] == 0) continue;
        if (goal_changed) update_worst_goal();
        if (word > frontier) frontier = word;
        while (scratch.dirty[word] != 0) {
          const std::int32_t at = word * 64 + lowest_bit(scratch.dirty[word]);
          scratch.dirty[word] &= scratch.dirty[word] - 1;
          relax<true>(at, word);
        }
      }
      if (!kAxioms && alternating && restart < words) go_back();
    }
  }

  /// A pass from the last operator to the first.
  void go_back() {
    restart = (schedule.operators + 63) / 64;
    for (std::int32_t word = frontier; word >= 0; --word) {
      if (scratch.dirty[word] == 0) continue;
      if (goal_changed) update_worst_goal();
      while (scratch.dirty[word] != 0) {
        const int bit = highest_bit(scratch.dirty[word]);
        scratch.dirty[word] &= ~(std::uint64_t{1} << bit);
        relax<false>(word * 64 + bit, word);
      }
    }
  }

  template <bool kForward>
  void relax(std::int32_t at, std::int32_t word) {
    const std::uint32_t* const bounds = schedule.bounds + 2 * static_cast<std::size_t>(at);
    const std::int32_t* const needs = schedule.facts + bounds[0] + 1;
    const std::int32_t* const adds = schedule.facts + bounds[1];
    const std::int32_t* const end = schedule.facts + bounds[2];
    // What costs as much as the goal cannot make it cheaper or support it.
    const Lanes goal = kSingleGoals ? load(lanes_of(scratch, needs[-1])) : worst_goal;
    if (needs < adds && all_at_most(goal, load(lanes_of(scratch, *needs)))) return;
    const Lanes cost =
        add_saturated(total_cost<kAdd>(scratch, needs, adds), broadcast(kAxioms ? schedule.costs[at] : 1));
    for (const std::int32_t* fact = adds; fact < end; ++fact) {
      std::uint16_t* lanes = lanes_of(scratch, *fact);
      const Lanes before = load(lanes);
      if (all_at_most(minimum(before, goal), cost)) continue;
      store(lanes, minimum(before, cost));
      changed<kForward>(*fact, word);
    }
  }

  template <bool kForward>
  void changed(std::int32_t fact, std::int32_t word) {
    ++changes;
    if (network.is_goal[fact]) goal_changed = true;
    const LaneWake* wake = schedule.wakes + schedule.wake_begin[fact];
    const LaneWake* const end = schedule.wakes + schedule.wake_end[fact];
    if (kForward && wake < end && wake->word < word && wake->word < restart) restart = wake->word;
    if (!kForward && wake < end && end[-1].word > word) restart = word;
    for (; wake < end && wake->word <= frontier; ++wake) scratch.dirty[wake->word] |= wake->operators;
  }

  void update_worst_goal() {
    goal_changed = false;
    worst_goal = dearest_goal(network, scratch);
    // What an axiom needs may cost as much as the goal that it supports.
    if (kAxioms) worst_goal = add_saturated(worst_goal, broadcast(1));
    if (kSingleGoals) store(lanes_of(scratch, network.facts), worst_goal);
  }
};

/// Follows the achievers that cost as much as what they achieve backwards from the goals, in all lanes at once. A fact
/// has one supporter: the first of these achievers.
struct Extraction {
  const LaneNetwork& network;
  const LaneScratch& scratch;
  LanePlan& plan;
  std::int32_t head = 0;
  std::int32_t tail = 0;  // the queue is a ring: a fact is in it at most once
  Lanes length = broadcast(0);

  void run(LaneMask lanes) {
    for (std::int32_t i = 0; i < network.goals; ++i) need(network.goal[i], lanes);
    while (head != tail) {
      const std::int32_t fact = plan.queue[head];
      head = head + 1 == network.facts + 1 ? 0 : head + 1;
      const LaneMask pending = plan.pending[fact];
      plan.pending[fact] = 0;
      support(fact, pending);
    }
    store(plan.length, length);
  }

  void need(std::int32_t fact, LaneMask lanes) {
    const LaneMask missing = lanes & ~plan.done[fact];
    if (missing == 0) return;
    if (plan.done[fact] == 0) plan.marked[plan.marked_count++] = fact;
    plan.done[fact] |= missing;
    if (plan.pending[fact] == 0) {
      plan.queue[tail] = fact;
      tail = tail + 1 == network.facts + 1 ? 0 : tail + 1;
    }
    plan.pending[fact] |= missing;
  }

  void support(std::int32_t fact, LaneMask lanes) {
    const Lanes wanted = load(lanes_of(scratch, fact));
    lanes &= ~equal(wanted, broadcast(0));
    const std::uint32_t last = network.achiever_begin[fact + 1];
    for (std::uint32_t i = network.achiever_begin[fact]; lanes != 0 && i < last; ++i) {
      const std::int32_t op = network.achiever_operator[i];
      const std::int32_t* const needs = network.precondition + network.precondition_begin[op];
      const std::int32_t* const end = network.precondition + network.precondition_begin[op + 1];
      const Lanes total = total_cost<true>(scratch, needs, end);
      const LaneMask supported = lanes & equal(wanted, add_saturated(total, broadcast(1)));
      if (supported == 0) continue;
      lanes &= ~supported;
      plan.first_layer[fact] |= supported & equal(total, broadcast(0));
      enter(network.achiever_action[i], supported);
      for (const std::int32_t* each = needs; each < end; ++each) need(*each, supported);
    }
  }

  void enter(std::int32_t action, LaneMask lanes) {
    const LaneMask added = lanes & ~plan.in_plan[action];
    if (added == 0) return;
    if (plan.in_plan[action] == 0) plan.touched[plan.touched_count++] = action;
    plan.in_plan[action] |= added;
    length = increment(length, added);
  }
};

inline std::int32_t find_ties(const LaneNetwork& network, const LaneScratch& scratch, std::int32_t fact,
                              std::uint32_t lanes, LaneTie* ties, LaneNeed* needs) {
  const Lanes none = broadcast(0), wanted = load(lanes_of(scratch, fact));
  lanes &= ~equal(wanted, none);
  LaneTie* tie = ties;
  LaneNeed* need = needs;
  const std::uint32_t last = network.achiever_begin[fact + 1];
  for (std::uint32_t i = network.achiever_begin[fact]; lanes != 0 && i < last; ++i) {
    const std::int32_t op = network.achiever_operator[i];
    const std::int32_t* each = network.precondition + network.precondition_begin[op];
    const std::int32_t* const end = network.precondition + network.precondition_begin[op + 1];
    const bool is_axiom = network.achiever_action[i] < 0;
    const Lanes total = total_cost<true>(scratch, each, end);
    const LaneMask tied = lanes & equal(wanted, is_axiom ? total : add_saturated(total, broadcast(1)));
    if (tied == 0) continue;
    if (!is_axiom) lanes &= ~tied;
    const LaneMask free = tied & equal(total, none);
    for (; each < end; ++each) {
      const Lanes cost = load(lanes_of(scratch, *each));
      const LaneMask dear = tied & ~equal(cost, none);
      if (dear != 0) *need++ = {*each, dear, dear & equal(cost, total)};
    }
    *tie++ = {static_cast<std::int32_t>(i), tied, free, static_cast<std::uint32_t>(need - needs)};
  }
  return static_cast<std::int32_t>(tie - ties);
}

template <bool kAdd, Kind kKind>
inline std::int64_t sweep_by(const LaneNetwork& network, const LaneSchedule& schedule, LaneScratch& scratch,
                             bool alternating) {
  Sweep<kAdd, kKind> sweep{network, schedule, scratch};
  sweep.run(alternating);
  return sweep.changes;
}

template <bool kAdd>
inline std::int64_t sweep_any(const LaneNetwork& network, const LaneSchedule& schedule, LaneScratch& scratch,
                              bool alternating) {
  const auto by = network.is_derived          ? sweep_by<kAdd, Kind::axioms>
                  : schedule.has_single_goals ? sweep_by<kAdd, Kind::single_goals>
                                              : sweep_by<kAdd, Kind::any>;
  return by(network, schedule, scratch, alternating);
}

inline std::int64_t sweep(const LaneNetwork& network, const LaneSchedule& schedule, LaneScratch& scratch, bool add,
                          bool alternating) {
  return (add ? sweep_any<true> : sweep_any<false>)(network, schedule, scratch, alternating);
}

inline std::uint32_t with_goal(const LaneNetwork& network, const LaneScratch& scratch) {
  return ~equal(dearest_goal(network, scratch), broadcast(kLaneUnreached));
}

inline void extract(const LaneNetwork& network, const LaneScratch& scratch, std::uint32_t lanes, LanePlan& plan) {
  Extraction{network, scratch, plan}.run(lanes);
}

inline bool any_above(const LaneNetwork& network, const LaneScratch& scratch, std::uint32_t lanes,
                      std::uint16_t limit) {
  const Lanes most = broadcast(limit), unreached = broadcast(kLaneUnreached);
  LaneMask fine = ~LaneMask{0};
  for (std::int32_t fact = 0; fact < network.facts; ++fact) {
    const Lanes cost = load(lanes_of(scratch, fact));
    fine &= equal(minimum(cost, most), cost) | equal(cost, unreached);
  }
  return (lanes & ~fine) != 0;
}

inline std::uint32_t all_true(const LaneScratch& scratch, const std::int32_t* facts, std::int32_t count,
                              std::uint32_t lanes) {
  for (std::int32_t i = 0; i < count && lanes != 0; ++i)
    lanes &= equal(load(lanes_of(scratch, facts[i])), broadcast(0));
  return lanes;
}

inline std::int32_t differences(const std::int32_t* a, const std::int32_t* b, std::int32_t length,
                                std::int32_t* places) {
  std::int32_t* next = places;
  std::int32_t i = 0;
  for (; i + kLanes / 2 <= length; i += kLanes / 2) {
    const LaneMask halves = ~equal(load_pairs(a + i), load_pairs(b + i));
    for (LaneMask rest = (halves | halves >> 1) & 0x55555555u; rest != 0; rest &= rest - 1)
      *next++ = i + lowest_bit(rest) / 2;
  }
  for (; i < length; ++i)
    if (a[i] != b[i]) *next++ = i;
  return static_cast<std::int32_t>(next - places);
}

}  // namespace banditplan::BANDITPLAN_ISA
