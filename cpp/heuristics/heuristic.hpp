#pragma once

#include <limits>
#include <memory>
#include <span>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// The heuristic value of a state from which the goal cannot be reached.
constexpr Id kDeadEnd = std::numeric_limits<Id>::max();

/// A heuristic at work on one task, with its scratch memory. It looks at the monitor that it was bound with: evaluation
/// may be stopped, and go on with other states afterwards.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// `states` holds the states one after the other, each a value per variable; `values` gets one h per state.
  /// If `preferred` is given, it gets one list per state, of the actions that the heuristic recommends, ascending.
  /// A value depends on its state alone, not on the other states or on earlier calls.
  virtual void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) = 0;

  /// How many more states are worth evaluating together with `states` ones, if the share `useful` of the values
  /// computed ahead comes to be used: vector lanes that would be idle cost little.
  virtual std::size_t spare(std::size_t /*states*/, double /*useful*/) const { return 0; }
};

/// A recipe for a heuristic: without a task, comparable, printable, thread-safe.
class Heuristic {
 public:
  virtual ~Heuristic() = default;
  /// Task and monitor must live as long as the evaluator.
  virtual std::unique_ptr<Evaluator> bind(const Task& task, Monitor& monitor) const = 0;
  /// Whether kDeadEnd proves that the goal cannot be reached.
  virtual bool safe() const = 0;
};

}  // namespace banditplan
