#pragma once

#include "evaluation/scout.hpp"
#include "heuristics/columns.hpp"

namespace banditplan {

struct EvaluationOptions {
  bool deferred = false;      // a state is evaluated when it is expanded; until then it has its parent's values
  bool preferred = false;     // the actions that heuristics recommend are wanted
  bool keeps_values = false;  // the values of all states are wanted later, too
};

/// What a search asks of its heuristics: a row of values per state, and the actions that they recommend there. Each
/// heuristic is asked once per state. States are evaluated in batches, and those that will probably be asked for next
/// are evaluated with them where that costs little; nobody else needs to know.
class Evaluation {
 public:
  /// The references must live as long as this.
  Evaluation(const Task& task, Monitor& monitor, const Columns& columns, const EvaluationOptions& options,
             FoundStates& found, Scout::Tell tell);

  /// A new state was found, which the next call of `evaluate` evaluates. All states come here, in their order.
  void await(StateId parent, const Expander::Successor& successor);
  /// Whether that one may be a goal: not if it was seen ahead, and was none.
  bool may_be_goal() const {
    return ahead_.empty() || ahead_.back() == kNotStored || lookahead_.may_be_goal(ahead_.back());
  }
  /// Gives the children of an expansion their rows.
  void evaluate(Expansion& expansion);
  /// A known state was found again: heuristics of paths want to know, if they were asked for it.
  void reached_again(const Origin& origin, StateId state, const Expander::Successor& successor) {
    if (!of_paths_.empty()) tell_paths(origin, state, successor);
  }

  /// Evaluates a state for which that was deferred; its row, until the next call.
  std::span<const Value> evaluate_late(StateId state);
  /// Values in a row.
  std::size_t columns() const { return width_; }
  /// What is known of states that were evaluated.
  const Evaluated& evaluated() const { return evaluated_; }

  /// What heuristics want to be known in the end.
  std::vector<std::string> remarks() const;

 private:
  using Source = Lookahead::Source;

  // Where evaluation is deferred, a batch has few states that are asked for, and what comes next changes sooner.
  static constexpr Lookahead::Memory kEagerMemory{4096, 0.998}, kDeferredMemory{512, 0.98};
  static constexpr double kLeastUseful = 0.1;  // share of states that are evaluated ahead: it takes time to find them
  static constexpr std::size_t kMostAtOnce = 512;  // states, which wait with a number per variable

  struct OfStates {
    std::size_t column;
    std::unique_ptr<Evaluator> evaluator;
    bool recommends;
  };
  struct OfPaths {
    std::size_t column;
    std::unique_ptr<PathEvaluator> evaluator;
    std::vector<std::size_t> needs;  // columns
  };

  void evaluate_children(Expansion& expansion);
  void inherit(Expansion& expansion);
  /// How many states should join the batch so that no lanes are idle, if that pays when such a share of them is used.
  std::size_t spare(double useful) const;
  template <class Gather>
  void look_ahead(std::span<const Lookahead::Promise> promises, Gather gather);
  void run_evaluators();
  void recommend(std::size_t states);
  void keep_what_was_ahead();
  const Id* arriving_values(std::size_t number, const Origin& origin);
  const Id* parent_values(StateId parent);
  Arrival arrival(const Origin& origin, StateId state, const Id* values, const Id* parent_values) const;
  void evaluate_paths(Arrival arrival, Value* row);
  void tell_paths(const Origin& origin, StateId state, const Expander::Successor& successor);
  void cut_batch(const Expansion& expansion);
  void use_what_was_ahead(const Expansion& expansion);

  const Task& task_;
  EvaluationOptions options_;
  FoundStates& found_;
  std::size_t width_;  // columns
  std::vector<OfStates> of_states_;
  std::vector<OfPaths> of_paths_;
  bool looks_ahead_ = true;
  Evaluated evaluated_;
  Lookahead lookahead_;
  Scout scout_;

  // The evaluation under way.
  std::vector<StoredId> ahead_;       // what the look-ahead knows of the new states, one after the other
  std::vector<Id> arrived_, left_;    // the values of variables of a state and its parent, for heuristics of paths
  StateId left_of_ = kNoState;        // that parent
  StateId arrived_from_ = kNoState;   // the parent from which `arrived_` was made,
  Id arrived_by_ = 0;                 // and the action
  std::vector<Id> arriving_;          // the same of the first new states of the expansion, one after the other
  std::vector<Id> batch_;             // the states to be evaluated: first those that are waited for, then others
  std::vector<Value> rows_, column_;  // the values of those that have been
  Lists<Id> recommended_;             // and preferred actions
  std::size_t asked_ = 0;             // so many of them are waited for
  std::vector<Lists<Id>> opinions_;   // the same by each heuristic that recommends
  std::vector<Id> merged_;            // by all of them, in one state
  std::vector<Value> late_, others_;
  struct Again {
    Origin origin;
    StateId state;
  };
  std::vector<Again> again_;  // new states that the expansion reaches by other actions, too
};

}  // namespace banditplan
