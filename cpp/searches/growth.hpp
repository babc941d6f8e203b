#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "evaluation/evaluation.hpp"
#include "searches/best_first.hpp"
#include "searches/path_bound.hpp"
#include "searches/relaxed_steps.hpp"
#include "states/found_states.hpp"

namespace banditplan {

/// How a search comes to its states: what a state that is expanded leads to, which of several paths to a state counts,
/// and what an anytime search leaves out. It counts what it generates, and puts a plan that it finds into the result.
class Growth {
 public:
  /// The references must live as long as this.
  Growth(const BestFirst& options, const SearchRequest& request, bool anytime, FoundStates& found,
         Evaluation& evaluation, SearchResult& result);

  /// Begins with the initial state, which is nobody's child.
  void plant();
  /// In a lazy search, makes the state whose turn has come. False if nothing is to be done: it was expanded at another
  /// place, on a path that is no worse; or it is a goal.
  bool make(StateId place);
  /// Generates the successors; those that matter become children.
  void expand(StateId state);
  /// What became of the state that was expanded last.
  Expansion& expansion() { return expansion_; }

  /// The first child to which a relaxed plan led, and not an action in the expanded state.
  std::size_t first_followed() const { return first_followed_; }
  /// Whether the children to which a relaxed plan led were of use.
  void judge_followed(bool useful) {
    if (steps_) steps_->judge(useful);
  }

  /// Whether goals are tested late, and it is one.
  bool is_late_goal(StateId state) const { return tests_goal_late_ && goals_[index(state)]; }
  /// The path to the state, and perhaps an action behind it, is the plan.
  void take_plan(StateId last, std::optional<ActionId> then = {});

  /// Of an anytime search.
  PathBound& bound() { return bound_; }
  /// In an anytime search, whether no plan below the bound goes through the state.
  bool hopeless(StateId state) const { return anytime_ && !bound_.promising(bound_.cost(state)); }
  /// There is a new bound: states that were expanded before there was one, and whose paths got cheaper since, wait once
  /// more.
  void reopen_stale(Frontier& open);

 private:
  bool counts(StateId place) const { return place_that_counts(place) == place; }
  StateId place_that_counts(StateId place) const;
  bool takes_over(StateId place);

  void note_steps(StateId state, std::span<const Id> recommended);
  void make_children(StateId state, std::span<const Id> recommended);
  struct Arrived {
    StateId state;
    bool is_new;
  };
  Arrived arrive(const Origin& origin, const Expander::Successor& successor, bool preferred);
  void enter(const Origin& origin, std::int64_t g, const Expander::Successor& successor, bool preferred);
  void follow(StateId expanded);
  void reach_again(const Origin& origin, StateId state, const Expander::Successor& successor, bool preferred);
  bool may_be_expanded(StateId state) const;

  /// What becomes of a known state that is reached on another path: nothing; it takes that path, with what is behind
  /// it; or it takes that path, and waits for its expansion once more.
  enum class Turn { stays, moves, waits };
  Turn turn(const Origin& origin, StateId state) const;
  Turn turn_by_g(const Origin& origin, StateId state) const;
  bool nearer(StateId a, StateId b) const;
  bool leaves_out(StateId state, const Expander::Successor& successor);

  const BestFirst& options_;
  const Task& task_;
  Monitor& monitor_;
  const bool anytime_;
  const bool tests_goal_late_;
  FoundStates& found_;
  Evaluation& evaluation_;
  SearchResult& result_;
  Expansion expansion_;
  std::size_t first_new_ = 0;            // state of it
  std::unique_ptr<RelaxedSteps> steps_;  // if they are followed
  std::vector<Id> values_;               // of the state to which they have led
  std::size_t first_followed_ = 0;       // child
  std::vector<bool> goals_;              // per state, if goals are tested late
  PathBound bound_;                      // of an anytime search
  std::vector<StateId> stale_;           // of an anytime search: places of states expanded before a path got cheaper
};

}  // namespace banditplan
