#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/lanes/lane_program.hpp"
#include "heuristics/lanes/relevance.hpp"
#include "lists.hpp"

namespace banditplan {

/// Operators of a network in the order of a sweep, so that the sweep reads memory from front to back.
class Schedule {
 public:
  /// The network must live as long as the schedule.
  explicit Schedule(const LaneNetwork& network) : network_(network) {
    const std::uint32_t needs = network.precondition_begin[network.operators];
    facts_.resize(static_cast<std::size_t>(network.operators) + needs + network.add_begin[network.operators]);
    bounds_.resize(2 * static_cast<std::size_t>(network.operators) + 1);
    costs_.resize(static_cast<std::size_t>(network.operators));
    wake_begin_.resize(static_cast<std::size_t>(network.facts) + 1);
    wake_end_.resize(static_cast<std::size_t>(network.facts));
    last_word_.resize(static_cast<std::size_t>(network.facts));
  }

  /// `order` has all operators, and those that are relevant are arranged; `cost(fact)` tells which facts come late.
  template <class Cost>
  void arrange(std::span<const Id> order, const Relevance& relevance, Cost cost) {
    operators_ = 0;
    std::uint32_t next = 0;
    for (Id op : order) {
      if (!relevance.has_operator(op)) continue;
      const std::size_t at = operators_++;
      bounds_[2 * at] = next;
      facts_[next++] = relevance.only_goal(op);
      const auto needs = facts_.begin() + next;
      for (std::uint32_t i = network_.precondition_begin[op]; i < network_.precondition_begin[op + 1]; ++i)
        facts_[next++] = network_.precondition[i];
      bounds_[2 * at + 1] = next;
      const auto end = facts_.begin() + next;
      if (needs < end)
        std::iter_swap(needs, std::max_element(needs, end, [&](Id a, Id b) { return cost(a) < cost(b); }));
      for (std::uint32_t i = network_.add_begin[op]; i < network_.add_begin[op + 1]; ++i)
        if (relevance.has_fact(network_.add[i])) facts_[next++] = network_.add[i];
      costs_[at] = static_cast<std::uint16_t>(network_.operator_cost[op]);
    }
    bounds_[2 * operators_] = next;
    has_single_goals_ = relevance.has_single_goals();
    arrange_wakes();
  }

  std::size_t operators() const { return operators_; }

  LaneSchedule view() const {
    return {.operators = static_cast<std::int32_t>(operators_),
            .has_single_goals = has_single_goals_,
            .bounds = bounds_.data(),
            .facts = facts_.data(),
            .wakes = wakes_.data(),
            .wake_begin = wake_begin_.data(),
            .wake_end = wake_end_.data(),
            .costs = costs_.data()};
  }

 private:
  /// Counted first: a fact wakes far fewer words of operators than operators.
  void arrange_wakes() {
    std::ranges::fill(wake_begin_, 0);
    std::ranges::fill(last_word_, -1);
    for_each_need([&](Id fact, std::size_t at) {
      const auto word = static_cast<std::int32_t>(at / 64);
      if (std::exchange(last_word_[fact], word) != word) ++wake_begin_[fact + 1];
    });
    for (std::size_t fact = 0; fact < wake_end_.size(); ++fact) {
      wake_begin_[fact + 1] += wake_begin_[fact];
      wake_end_[fact] = wake_begin_[fact];
    }
    wakes_.clear();
    wakes_.reserve(wake_begin_.back());
    wakes_.resize(wake_begin_.back());
    for_each_need([&](Id fact, std::size_t at) {
      const auto word = static_cast<std::int32_t>(at / 64);
      const std::uint64_t bit = std::uint64_t{1} << (at % 64);
      std::uint32_t& end = wake_end_[fact];
      if (end > wake_begin_[fact] && wakes_[end - 1].word == word)
        wakes_[end - 1].operators |= bit;
      else
        wakes_[end++] = {bit, word};
    });
  }

  /// Calls `visit(fact, position)` for all that operators need, in their order.
  template <class Visit>
  void for_each_need(Visit visit) const {
    for (std::size_t at = 0; at < operators_; ++at)
      for (std::uint32_t i = bounds_[2 * at] + 1; i < bounds_[2 * at + 1]; ++i) visit(facts_[i], at);
  }

  const LaneNetwork& network_;
  std::size_t operators_ = 0;
  bool has_single_goals_ = false;
  std::vector<std::int32_t> facts_;
  std::vector<std::uint32_t> bounds_;
  std::vector<LaneWake> wakes_;
  std::vector<std::uint32_t> wake_begin_, wake_end_;
  std::vector<std::int32_t> last_word_;  // per fact: of the wakes that are counted
  std::vector<std::uint16_t> costs_;
};

}  // namespace banditplan
