#pragma once

#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/lanes/lane_program.hpp"
#include "ids.hpp"

namespace banditplan {

/// Extracts relaxed plans in all lanes at once where there are axioms, which cost nothing: one may reach a fact at the
/// cost of a fact that it needs, its *link*. The step of a fact is the smallest number of links in a row that lead to
/// it. Its supporter is the first of the cheapest ways at its step, so that supporters never form a cycle.
///
/// Vectors find the cheapest ways; what follows from there are sets of lanes.
class TiedPlans {
 public:
  /// Network and program must live as long as this.
  TiedPlans(const LaneNetwork& network, const LaneProgram& program) : network_(network), program_(program) {
    facts_.resize(static_cast<std::size_t>(network.facts));
    std::size_t most_ties = 0, most_needs = 0;
    for (std::int32_t fact = 0; fact < network.facts; ++fact) {
      const std::uint32_t first = network.achiever_begin[fact], last = network.achiever_begin[fact + 1];
      std::size_t needs = 0;
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t* const begin = network.precondition_begin + network.achiever_operator[i];
        needs += begin[1] - begin[0];
      }
      most_ties = std::max<std::size_t>(most_ties, last - first);
      most_needs = std::max(most_needs, needs);
    }
    found_ties_.resize(most_ties);
    found_needs_.resize(most_needs);
  }

  /// After a sweep, in the given lanes. `truth`: per fact, the lanes in which a derived one is true and others are
  /// free, if `LanePlan::first_layer` is asked for.
  void extract(const LaneScratch& scratch, std::uint32_t lanes, const std::uint32_t* truth, LanePlan& plan) {
    collect(scratch, lanes);
    settle();
    follow(lanes, truth, plan);
    for (Id fact : marked_) facts_[fact] = {};
    for (auto* list : {&marked_, &queue_}) list->clear();
    ties_.clear();
    needs_.clear();
  }

 private:
  static constexpr Id kNone = -1;

  struct PerFact {
    std::uint32_t wanted = 0;             // the lanes in which plans may need it
    std::uint32_t pending = 0;            // of these, the lanes that wait in the queue
    std::uint32_t settled = 0;            // the lanes in which its step is known
    std::uint32_t front = 0, coming = 0;  // the lanes of the current step, and of the next one
    Id first_tie = kNone, last_tie = kNone;
    Id first_link = kNone;  // of the needs that are this fact
  };
  struct Tie {
    std::uint32_t achiever;
    std::uint32_t free;    // lanes, as in LaneTie
    std::uint32_t chosen;  // the lanes in which it achieves the fact at its step
    Id first_need, last_need;
    Id next;  // of the fact
  };
  struct Need {
    Id fact;
    std::uint32_t lanes, link;
    Id tie, head;  // whose it is, and what that achieves
    Id next_link;  // of the same fact
  };

  /// Follows all of the cheapest ways backwards from the goals.
  void collect(const LaneScratch& scratch, std::uint32_t lanes) {
    for (std::int32_t i = 0; i < network_.goals; ++i) want(network_.goal[i], lanes);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Id fact = queue_[next];
      const std::uint32_t pending = std::exchange(facts_[fact].pending, 0);
      const std::int32_t count =
          program_.find_ties(network_, scratch, fact, pending, found_ties_.data(), found_needs_.data());
      std::uint32_t need = 0;
      for (const LaneTie& tie : std::span(found_ties_).first(static_cast<std::size_t>(count))) {
        enter(fact, tie, {found_needs_.data() + need, found_needs_.data() + tie.needs_end});
        need = tie.needs_end;
      }
    }
  }

  void want(Id fact, std::uint32_t lanes) {
    PerFact& each = facts_[fact];
    const std::uint32_t missing = lanes & ~each.wanted;
    if (missing == 0) return;
    if (each.wanted == 0) marked_.push_back(fact);
    if (each.pending == 0) queue_.push_back(fact);
    each.wanted |= missing;
    each.pending |= missing;
  }

  void enter(Id head, const LaneTie& found, std::span<const LaneNeed> needs) {
    const auto number = static_cast<Id>(ties_.size()), first = static_cast<Id>(needs_.size());
    const bool is_axiom = network_.achiever_action[found.achiever] < 0;
    std::uint32_t linked = 0;
    for (const LaneNeed& need : needs) {
      const bool is_link = is_axiom && need.link != 0;
      Id& first_link = facts_[need.fact].first_link;
      needs_.push_back({need.fact, need.lanes, need.link, number, head, first_link});
      if (is_link) {
        first_link = static_cast<Id>(needs_.size()) - 1;
        linked |= need.link;
      }
      want(need.fact, need.lanes);
    }
    ties_.push_back({static_cast<std::uint32_t>(found.achiever), found.free, found.lanes & ~linked, first,
                     static_cast<Id>(needs_.size()), kNone});
    PerFact& fact = facts_[head];
    fact.settled |= found.lanes & ~linked;
    (fact.first_tie == kNone ? fact.first_tie : ties_[fact.last_tie].next) = number;
    fact.last_tie = number;
  }

  /// Tells the steps of facts, one after the other; what needs no link comes first.
  void settle() {
    front_.clear();
    for (Id fact : marked_)
      if ((facts_[fact].front = facts_[fact].settled) != 0) front_.push_back(fact);
    while (!front_.empty()) {
      coming_.clear();
      for (Id fact : front_)
        for (Id i = facts_[fact].first_link; i != kNone; i = needs_[i].next_link) {
          const Need& need = needs_[i];
          PerFact& head = facts_[need.head];
          const std::uint32_t reached = need.link & facts_[fact].front & ~head.settled;
          if (reached == 0) continue;
          ties_[need.tie].chosen |= reached;
          if (head.coming == 0) coming_.push_back(need.head);
          head.coming |= reached;
        }
      for (Id fact : coming_) {
        PerFact& each = facts_[fact];
        each.front = std::exchange(each.coming, 0);
        each.settled |= each.front;
      }
      std::swap(front_, coming_);
    }
  }

  /// Follows the supporters backwards from the goals.
  void follow(std::uint32_t lanes, const std::uint32_t* truth, LanePlan& plan) {
    queue_.clear();
    for (std::int32_t i = 0; i < network_.goals; ++i) need(network_.goal[i], lanes, plan);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Id fact = queue_[next];
      std::uint32_t left = std::exchange(plan.pending[fact], 0);
      for (Id i = facts_[fact].first_tie; left != 0 && i != kNone; i = ties_[i].next) {
        const Tie& tie = ties_[i];
        const std::uint32_t supported = left & tie.chosen;
        if (supported == 0) continue;
        left &= ~supported;
        const Id action = network_.achiever_action[tie.achiever];
        if (action >= 0) {
          plan.first_layer[fact] |= supported & all_true(tie, truth);
          if (plan.in_plan[action] == 0) plan.touched[plan.touched_count++] = action;
          plan.in_plan[action] |= supported;
        }
        for (Id n = tie.first_need; n < tie.last_need; ++n) need(needs_[n].fact, supported & needs_[n].lanes, plan);
      }
    }
    std::fill_n(plan.length, kLanes, std::uint16_t{0});
    for (Id i = 0; i < plan.touched_count; ++i)
      for (std::uint32_t rest = plan.in_plan[plan.touched[i]]; rest != 0; rest &= rest - 1)
        ++plan.length[std::countr_zero(rest)];
  }

  void need(Id fact, std::uint32_t lanes, LanePlan& plan) {
    const std::uint32_t missing = lanes & ~plan.done[fact];
    if (missing == 0) return;
    if (plan.done[fact] == 0) plan.marked[plan.marked_count++] = fact;
    if (plan.pending[fact] == 0) queue_.push_back(fact);
    plan.done[fact] |= missing;
    plan.pending[fact] |= missing;
  }

  /// What costs nothing may be false where it is derived.
  std::uint32_t all_true(const Tie& tie, const std::uint32_t* truth) const {
    std::uint32_t lanes = tie.free;
    const std::int32_t op = network_.achiever_operator[tie.achiever];
    for (std::uint32_t i = network_.precondition_begin[op]; truth && i < network_.precondition_begin[op + 1]; ++i)
      if (network_.is_derived[network_.precondition[i]]) lanes &= truth[network_.precondition[i]];
    return lanes;
  }

  const LaneNetwork& network_;
  const LaneProgram& program_;
  std::vector<LaneTie> found_ties_;    // room for those of one fact
  std::vector<LaneNeed> found_needs_;  // likewise
  std::vector<PerFact> facts_;
  std::vector<Tie> ties_;
  std::vector<Need> needs_;
  std::vector<Id> marked_, queue_, front_, coming_;
};

}  // namespace banditplan
