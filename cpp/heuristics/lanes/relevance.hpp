#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "heuristics/lanes/lane_program.hpp"
#include "ids.hpp"

namespace banditplan {

/// What a sweep has to look at: the operators and facts that lead to goals that are open. Where others have been true
/// for some time, such as those of packages that have arrived, what leads to them alone is left out. And what leads to
/// one goal alone, such as all that can be done with one package, need not be looked at where it costs more than that.
class Relevance {
 public:
  /// The network must live as long as this. `always_all`: nothing may ever be left out.
  Relevance(const LaneNetwork& network, bool always_all)
      : network_(network),
        always_all_(always_all),
        open_(static_cast<std::size_t>(network.goals)),
        covered_(open_.size(), true) {}

  bool has_fact(Id fact) const { return all_ || facts_[fact] != kNone; }
  bool has_operator(Id op) const { return all_ || operators_[op] != kNone; }
  /// The only goal to which the operator leads; as many as there are facts: several ones, or that is not known.
  Id only_goal(Id op) const { return all_ ? several() : operators_[op]; }
  /// Whether many operators lead to a single goal.
  bool has_single_goals() const { return has_single_goals_; }

  /// Takes note of the goals that are open. False if what leads to one of them was left out: then it must be renewed or
  /// extended.
  template <class IsOpen>
  bool covers(IsOpen is_open) {
    bool result = true;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i] != 0 || !is_open(network_.goal[i])) continue;
      open_[i] = true;
      if (covered_[i] == 0) result = false;
    }
    return result;
  }

  /// What leads to goals that were not open since the last time is left out. If too much was left out lately, or
  /// nothing can be, nothing new is left out in the next renewals.
  void renew() {
    if (--rest_ < 0 && extensions_ > kMostExtensions) take_rest();
    extensions_ = 0;
    if (always_all_ || rest_ >= 0) {
      cover_open();
    } else {
      covered_ = open_;
      if (follow())
        patience_ = std::max(patience_ / 2, 1);
      else
        take_rest();
    }
    std::ranges::fill(open_, false);
  }

  /// What leads to goals that have become open is no longer left out.
  void extend() {
    ++extensions_;
    cover_open();
  }

 private:
  static constexpr Id kNone = -1;

  void cover_open() {
    bool is_short = false;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i] != 0 && std::exchange(covered_[i], true) == 0) is_short = true;
    if (is_short) follow();
  }

  /// From the covered goals backwards. False, and nothing is left out, if that does not pay.
  bool follow() {
    all_ = true;  // even if memory runs out here
    has_single_goals_ = false;
    facts_.assign(static_cast<std::size_t>(network_.facts), kNone);
    operators_.assign(static_cast<std::size_t>(network_.operators), kNone);
    queue_.clear();
    for (std::size_t i = 0; i < covered_.size(); ++i)
      if (covered_[i] != 0) lead(network_.goal[i], network_.goal[i]);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const Id fact = queue_[next], goal = facts_[fact];
      for (std::uint32_t i = network_.achiever_begin[fact]; i < network_.achiever_begin[fact + 1]; ++i) {
        const Id op = network_.achiever_operator[i];
        if (!join(operators_[op], goal)) continue;
        for (std::uint32_t j = network_.precondition_begin[op]; j < network_.precondition_begin[op + 1]; ++j)
          lead(network_.precondition[j], operators_[op]);
      }
    }
    const auto without = std::ranges::count(operators_, kNone), shared = std::ranges::count(operators_, several());
    const auto all = static_cast<double>(operators_.size()), kept = all - static_cast<double>(without);
    has_single_goals_ = kept - static_cast<double>(shared) > kLeastSingle * kept;
    all_ = kept > kMostKept * all && !has_single_goals_;
    if (all_) std::ranges::fill(covered_, true);
    return !all_;
  }

  void take_rest() { rest_ = patience_ = std::min(2 * patience_, kMostPatience); }

  void lead(Id fact, Id goal) {
    if (join(facts_[fact], goal)) queue_.push_back(fact);
  }

  /// Whether something has changed.
  bool join(Id& goals, Id goal) const {
    const Id joined = goals == kNone || goals == goal ? goal : several();
    return std::exchange(goals, joined) != joined;
  }

  Id several() const { return network_.facts; }

  static constexpr double kMostKept = 0.9, kLeastSingle = 0.4;  // shares of operators from which on it pays
  static constexpr int kMostPatience = 64, kMostExtensions = 1;

  const LaneNetwork& network_;
  const bool always_all_;
  std::vector<char> open_, covered_;  // per goal: since the last renewal; whether nothing that leads to it is left out
  bool all_ = true, has_single_goals_ = false;
  std::vector<Id> facts_, operators_;  // if not all: to which goal they lead; none, a fact, or several
  std::vector<Id> queue_;
  int extensions_ = 0;           // since the last renewal
  int patience_ = 1, rest_ = 1;  // renewals that leave everything as it is, before the next that does not
};

}  // namespace banditplan
