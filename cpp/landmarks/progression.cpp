#include "landmarks/progression.hpp"

#include <algorithm>
#include <bit>

namespace banditplan {

namespace {

constexpr std::size_t kBits = 32;

LandmarkWord bit(Id landmark) { return LandmarkWord{1} << (static_cast<std::size_t>(landmark) % kBits); }
LandmarkWord& word(LandmarkSet set, Id landmark) { return set[static_cast<std::size_t>(landmark) / kBits]; }
void insert(LandmarkSet set, Id landmark) { word(set, landmark) |= bit(landmark); }
void erase(LandmarkSet set, Id landmark) { word(set, landmark) &= ~bit(landmark); }
bool contains(ConstLandmarkSet set, Id landmark) {
  return (set[static_cast<std::size_t>(landmark) / kBits] & bit(landmark)) != 0;
}

/// The facts of variables with which the landmark is true, ascending.
std::vector<Id> true_with(const Task& task, std::span<const Id> landmark) {
  std::vector<Id> result;
  for (Id id : landmark) {
    const Fact& fact = task.facts[id];
    const Variable& variable = task.variables[fact.variable];
    for (Id value = 0; value < variable.values; ++value)
      if ((value == fact.value) != fact.negated) result.push_back(variable.first_fact + value);
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Id count(ConstLandmarkSet set) {
  Id result = 0;
  for (LandmarkWord word : set) result += std::popcount(word);
  return result;
}

Progression::Progression(const Task& task, const LandmarkGraph& graph, Monitor& monitor)
    : task_(task),
      changed_(ChangedVariables::of(task, monitor)),
      landmarks_(graph.size()),
      words_((graph.size() + kBits - 1) / kBits),
      reachable_(graph.reachable),
      facts_(graph.facts),
      goals_(words_, 0),
      wanted_(words_, 0),
      unachievable_(words_, 0),
      users_(landmarks_ * words_, 0),
      earlier_(landmarks_ * words_, 0) {
  Lists<Id> true_facts;
  std::vector<char> mentioned(task.variables.size(), false);
  for (std::size_t l = 0; l < landmarks_; ++l) {
    if (graph.goal[l]) insert(goals_, static_cast<Id>(l));
    if (!graph.achievable[l]) insert(unachievable_, static_cast<Id>(l));
    for (Id fact : facts_[l]) mentioned[task.facts[fact].variable] = true;
    true_facts.append(true_with(task, facts_[l]));
    plain_.push_back(facts_[l].size() == 1 && !task.facts[facts_[l][0]].negated);
  }
  made_true_ =
      Lists<Id>::inverse(true_facts, static_cast<std::size_t>(task.negated_facts_begin), [](Id fact) { return fact; });
  for (std::size_t v = 0; v < mentioned.size(); ++v)
    if (task.variables[v].derived() && mentioned[v]) derived_.push_back(static_cast<Id>(v));
  for (const LandmarkOrder& order : graph.orders) {
    if (!graph.initial[order.from]) insert(wanted_, order.to);
    if (order.kind == OrderKind::greedy_necessary)
      insert({users_.data() + static_cast<std::size_t>(order.from) * words_, words_}, order.to);
    else if (order.kind == OrderKind::reasonable)
      insert({earlier_.data() + static_cast<std::size_t>(order.to) * words_, words_}, order.from);
  }
}

bool Progression::is_true(Id landmark, const Id* state) const {
  return std::ranges::any_of(facts_[landmark], [&](Id fact) { return holds(task_, fact, state); });
}

void Progression::start(const Id* initial_state, LandmarkChanges& changes, LandmarkStatus status) const {
  changes = {};
  for (Id landmark = 0; landmark < static_cast<Id>(landmarks_); ++landmark)
    (is_true(landmark, initial_state) ? changes.gained : changes.lost).push_back(landmark);
  std::ranges::fill(status.past, 0);
  std::ranges::copy(wanted_, status.future.begin());
  for (Id landmark : changes.gained) insert(status.past, landmark);
  for (Id landmark : changes.lost) insert(status.future, landmark);
}

void Progression::find_changes(Id action, const Id* parent, const Id* state, LandmarkChanges& changes) const {
  changes.gained.clear();
  changes.lost.clear();
  for (Id variable : changed_->by_action[action]) find_changes_of(variable, parent, state, changes);
  for (Id variable : derived_) find_changes_of(variable, parent, state, changes);
}

void Progression::find_changes_of(Id variable, const Id* parent, const Id* state, LandmarkChanges& changes) const {
  if (parent[variable] == state[variable]) return;
  const Id first_fact = task_.variables[variable].first_fact;
  for (Id landmark : made_true_[first_fact + parent[variable]])
    if (plain_[landmark] || !is_true(landmark, state)) changes.lost.push_back(landmark);
  for (Id landmark : made_true_[first_fact + state[variable]])
    if (plain_[landmark] || !is_true(landmark, parent)) changes.gained.push_back(landmark);
}

void Progression::progress(LandmarkStatus before, const LandmarkChanges& changes, LandmarkStatus after) const {
  std::ranges::copy(before.past, after.past.begin());
  std::ranges::copy(before.future, after.future.begin());
  for (Id landmark : changes.gained) {
    insert(after.past, landmark);
    erase(after.future, landmark);
  }
  for (Id landmark : changes.gained)
    if (is_open(earlier_, landmark, after)) insert(after.future, landmark);
  for (Id landmark : changes.lost)
    if (contains(goals_, landmark) || is_open(users_, landmark, after)) insert(after.future, landmark);
}

bool Progression::is_open(const std::vector<LandmarkWord>& sets, Id landmark, LandmarkStatus status) const {
  const LandmarkWord* set = sets.data() + static_cast<std::size_t>(landmark) * words_;
  for (std::size_t w = 0; w < words_; ++w)
    if ((set[w] & ~status.past[w]) != 0) return true;
  return false;
}

bool Progression::is_dead_end(LandmarkStatus status, std::span<const Id> lost) const {
  return !reachable_ || std::ranges::any_of(lost, [&](Id landmark) {
    return contains(unachievable_, landmark) &&
           (contains(goals_, landmark) || !contains(status.past, landmark) || is_open(users_, landmark, status));
  });
}

}  // namespace banditplan
