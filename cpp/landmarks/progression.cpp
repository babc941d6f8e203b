#include "landmarks/progression.hpp"

#include <bit>

namespace banditplan {

namespace {

constexpr std::size_t kBits = 32;

void insert(std::span<LandmarkWord> set, std::size_t landmark) {
  set[landmark / kBits] |= LandmarkWord{1} << (landmark % kBits);
}

/// Calls `visit(bit's number)` for every bit of the word with the given number.
template <class Visit>
void for_each_bit(LandmarkWord word, std::size_t number, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(number * kBits + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace

Id count(ConstLandmarkSet set) {
  Id result = 0;
  for (LandmarkWord word : set) result += std::popcount(word);
  return result;
}

Progression::Progression(const Task& task, const LandmarkGraph& graph)
    : task_(task),
      landmarks_(graph.size()),
      words_((graph.size() + kBits - 1) / kBits),
      reachable_(graph.reachable),
      facts_(graph.facts),
      goals_(words_, 0),
      wanted_(words_, 0),
      unachievable_(words_, 0),
      users_(landmarks_ * words_, 0),
      earlier_(landmarks_ * words_, 0) {
  std::vector<std::vector<Id>> mentions(task.variables.size());
  for (std::size_t l = 0; l < landmarks_; ++l) {
    if (graph.goal[l]) insert(goals_, l);
    if (!graph.achievable[l]) insert(unachievable_, l);
    for (Id fact : facts_[l]) {
      std::vector<Id>& of_variable = mentions[task.facts[fact].variable];
      if (of_variable.empty() || of_variable.back() != static_cast<Id>(l)) of_variable.push_back(static_cast<Id>(l));
    }
  }
  for (std::size_t v = 0; v < mentions.size(); ++v) {
    mentions_.append(mentions[v]);
    if (task.variables[v].derived() && !mentions[v].empty()) derived_.push_back(static_cast<Id>(v));
  }
  for (const LandmarkOrder& order : graph.orders) {
    const auto from = static_cast<std::size_t>(order.from), to = static_cast<std::size_t>(order.to);
    if (!graph.initial[from]) insert(wanted_, to);
    if (order.kind == OrderKind::greedy_necessary)
      insert({users_.data() + from * words_, words_}, to);
    else if (order.kind == OrderKind::reasonable)
      insert({earlier_.data() + to * words_, words_}, from);
  }
}

void Progression::find_true(const Id* state, LandmarkSet result) const {
  for (LandmarkWord& word : result) word = 0;
  for (std::size_t l = 0; l < landmarks_; ++l)
    for (Id fact : facts_[l])
      if (holds(task_, fact, state)) {
        insert(result, l);
        break;
      }
}

void Progression::find_true(ConstLandmarkSet in_parent, Id action, const Id* state, LandmarkSet result) const {
  for (std::size_t w = 0; w < words_; ++w) result[w] = in_parent[w];
  for (const Effect& effect : task_.effects[action]) update(task_.facts[effect.fact].variable, state, result);
  for (Id variable : derived_) update(variable, state, result);
}

void Progression::update(Id variable, const Id* state, LandmarkSet result) const {
  for (Id landmark : mentions_[variable]) {
    const auto l = static_cast<std::size_t>(landmark);
    const LandmarkWord bit = LandmarkWord{1} << (l % kBits);
    result[l / kBits] &= ~bit;
    for (Id fact : facts_[l])
      if (holds(task_, fact, state)) {
        result[l / kBits] |= bit;
        break;
      }
  }
}

void Progression::start(ConstLandmarkSet holds, LandmarkStatus status) const {
  const std::size_t last_bits = landmarks_ % kBits;
  for (std::size_t w = 0; w < words_; ++w) {
    const LandmarkWord all = w + 1 == words_ && last_bits != 0 ? (LandmarkWord{1} << last_bits) - 1 : ~LandmarkWord{0};
    status.past[w] = holds[w];
    status.future[w] = (all & ~holds[w]) | wanted_[w];
  }
}

void Progression::progress(LandmarkStatus before, ConstLandmarkSet held, ConstLandmarkSet holds,
                           LandmarkStatus after) const {
  for (std::size_t w = 0; w < words_; ++w) {
    after.past[w] = before.past[w] | holds[w];
    // What was true already has not been made true by this action.
    after.future[w] = (before.future[w] & (~holds[w] | held[w])) | (goals_[w] & ~holds[w]);
  }
  for (std::size_t w = 0; w < words_; ++w) {
    for_each_bit(held[w] & ~holds[w] & ~after.future[w], w, [&](std::size_t landmark) {
      if (is_open(users_, landmark, after)) insert(after.future, landmark);
    });
    for_each_bit(holds[w] & ~held[w] & ~after.future[w], w, [&](std::size_t landmark) {
      if (is_open(earlier_, landmark, after)) insert(after.future, landmark);
    });
  }
}

bool Progression::is_open(const std::vector<LandmarkWord>& sets, std::size_t landmark, LandmarkStatus status) const {
  const LandmarkWord* set = sets.data() + landmark * words_;
  for (std::size_t w = 0; w < words_; ++w)
    if ((set[w] & ~status.past[w]) != 0) return true;
  return false;
}

bool Progression::is_dead_end(LandmarkStatus status, ConstLandmarkSet lost) const {
  if (!reachable_) return true;
  bool dead = false;
  for (std::size_t w = 0; w < words_ && !dead; ++w) {
    const LandmarkWord hopeless = unachievable_[w] & lost[w];
    if ((hopeless & (goals_[w] | ~status.past[w])) != 0) return true;
    for_each_bit(hopeless, w, [&](std::size_t landmark) { dead = dead || is_open(users_, landmark, status); });
  }
  return dead;
}

}  // namespace banditplan
