#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "id_sorter.hpp"
#include "task/axioms.hpp"
#include "task/changes.hpp"

namespace banditplan {

/// Finds the applicable actions of a state in a decision tree: a switch leads on by the value of one variable, the one
/// that rules out the most actions first; a leaf holds actions whose conditions have all been tested, or few enough to
/// be tested one by one; what tests other variables is chained behind. The time depends on the branches that match, not
/// on the number of actions; the memory on the preconditions, not on the number of values.
class SuccessorGenerator {
 public:
  SuccessorGenerator(const Task& task, Monitor& monitor);
  /// The one that is shared by all who use the task.
  static std::shared_ptr<const SuccessorGenerator> of(const Task& task, Monitor& monitor);

  /// How many numbers of 32 bits it takes.
  std::size_t size() const { return nodes_.size(); }

  /// The caller's memory.
  struct Scratch {
    std::vector<std::uint32_t> stack;
    std::vector<Id> actions;
    IdSorter sorter;
  };
  /// The applicable actions, ascending; they are in the scratch memory until it is used again.
  std::span<const Id> applicable(const Id* state, Scratch& scratch) const;

 private:
  class Builder;

  // Nodes, back to back, named by their offsets. All of them begin with the kind and a number, and the next node of the
  // chain; then there are, by kind,
  //   all     number of actions: the actions
  //   tested  number of actions: each with the number of facts that are to be tested; of each of these the variable and
  //           whether it is negated, in one number, and the value
  //   dense   variable: the first value, the number of values, a child per value
  //   sparse  variable: the number of values, the values, ascending, a child per value
  enum class Kind : std::uint32_t { all, tested, dense, sparse };
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr int kKindBits = 2;

  std::vector<std::uint32_t> nodes_;
  std::uint32_t root_ = kNone;
};

/// The state after an action; derived variables are evaluated.
class Applier {
 public:
  Applier(const Task& task, Monitor& monitor) : task_(task), axioms_(task, monitor) {}
  /// `to` must not be `from`.
  void apply(Id action, const Id* from, Id* to);
  /// Overwrites the derived variables of a state. States that differ little from the one before cost little.
  void derive(Id* state) { axioms_.evaluate(state); }

 private:
  const Task& task_;
  AxiomEvaluator axioms_;
};

}  // namespace banditplan
