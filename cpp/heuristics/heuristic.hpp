#pragma once

#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

#include "monitor.hpp"
#include "task/task.hpp"

namespace banditplan {

/// A heuristic of states at work on one task, with its scratch memory. It looks at the monitor that it was bound with:
/// evaluation may be stopped, and go on with other states afterwards.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// `states` holds the states one after the other, each a value per variable; `values` gets one h per state.
  /// If `preferred` is given, it gets one list per state, of the actions that the heuristic recommends, ascending.
  /// A value depends on its state alone, not on the other states or on earlier calls.
  virtual void evaluate(std::span<const Id> states, std::span<Value> values, Lists<Id>* preferred) = 0;

  /// How many more states are worth evaluating together with `states` ones, if the share `useful` of the values
  /// computed ahead comes to be used: vector lanes that would be idle cost little.
  virtual std::size_t spare(std::size_t /*states*/, double /*useful*/) const { return 0; }
  /// Whether it may be asked for states of which the search will perhaps never hear.
  virtual bool looks_ahead() const { return true; }
  /// Whether values depend on what derived variables are given. If not, they may all be false in `states`, unless
  /// preferred actions are asked for, and the value of a goal is 0.
  virtual bool reads_derived() const { return true; }
};

/// A state that was reached by an action; the initial state by none.
struct Arrival {
  StoredId parent = kNotStored;
  ActionId action = kNoAction;
  StoredId state = kNotStored;
  const Id* values = nullptr;         // of the state's variables
  const Id* parent_values = nullptr;  // of the parent's
  std::span<const Value> others;      // what the heuristics that this one needs say of the state, in their order
};

/// A heuristic of paths at work on one task: what it says of a state depends on how the search came there.
class PathEvaluator {
 public:
  virtual ~PathEvaluator() = default;

  /// The value of a new state. States are asked for in the order of their evaluation, each once, and after its parent.
  virtual Value evaluate(const Arrival& arrival) = 0;
  /// A state that was evaluated is reached on another path.
  virtual void reached_again(const Arrival& /*arrival*/) {}
  /// What those who read the result should know, such as what a bound on memory has cost.
  virtual std::vector<std::string> remarks() const { return {}; }
};

class Heuristic;
using HeuristicPointer = std::shared_ptr<const Heuristic>;

/// A recipe for a heuristic: without a task, comparable, printable, thread-safe.
class Heuristic {
 public:
  using Bound = std::variant<std::unique_ptr<Evaluator>, std::unique_ptr<PathEvaluator>>;

  virtual ~Heuristic() = default;
  /// Task and monitor must live as long as what is bound.
  virtual Bound bind(const Task& task, Monitor& monitor) const = 0;
  /// Whether kDeadEnd proves that the goal cannot be reached.
  virtual bool safe() const = 0;
  /// Whether it recommends actions.
  virtual bool recommends() const { return false; }
  /// What an evaluation takes, roughly, where the generation of a state takes 1.
  virtual std::int64_t effort(const Task& /*task*/, Monitor& /*monitor*/) const { return 1; }
  /// Heuristics whose values it builds on; only one of paths does.
  virtual std::vector<HeuristicPointer> needs() const { return {}; }
  /// Whether both say the same of every state, so that one computation serves both.
  virtual bool same(const Heuristic& other) const = 0;

 protected:
  /// What `same` is for a recipe with these options.
  template <class Recipe, class... Options>
  static bool equal(const Recipe& recipe, const Heuristic& other, Options Recipe::*... options) {
    if (typeid(recipe) != typeid(other)) return false;
    const auto& second = static_cast<const Recipe&>(other);
    return ((recipe.*options == second.*options) && ...);
  }
};

}  // namespace banditplan
