#include "ground/simplify.hpp"

#include <algorithm>

namespace banditplan {

namespace {

enum class Truth : std::uint8_t { varies, always, never };

class Simplification {
 public:
  Simplification(const PropositionalTask& task, const std::vector<bool>& impossible, bool keep_irrelevant,
                 Monitor& monitor)
      : task_(task),
        keep_irrelevant_(keep_irrelevant),
        monitor_(monitor),
        truth_(task.facts(), Truth::varies),
        dead_action_(impossible) {
    dead_action_.resize(task.actions(), false);
  }

  PropositionalTask run() {
    // The task comes from a reachability analysis: something is unreachable only once an action has died.
    bool died = std::ranges::find(dead_action_, true) != dead_action_.end();
    do {
      if (died) find_unreachable();
      find_constant();
      died = drop_contradicted();
    } while (died);
    find_idle_axioms();
    if (keep_irrelevant_)
      find_changing();
    else
      find_relevant();
    return rewrite();
  }

  /// Once it has run.
  Fates fates() const {
    Fates result{std::vector<Fate>(task_.facts(), Fate::kept), new_fact_};
    for (std::size_t fact = 0; fact < task_.facts(); ++fact)
      if (truth_[fact] != Truth::varies)
        result.fates[fact] = truth_[fact] == Truth::always ? Fate::always : Fate::never;
      else if (new_fact_[fact] < 0)
        result.fates[fact] = Fate::irrelevant;
    return result;
  }

 private:
  /// A literal that is false in every reachable state.
  bool impossible(Literal literal) const {
    return truth_[fact_of(literal)] == (negated(literal) ? Truth::always : Truth::never);
  }
  bool any_impossible(std::span<const Literal> literals) const {
    return std::ranges::any_of(literals, [&](Literal l) { return impossible(l); });
  }
  bool fires(const GroundEffect& effect) const { return !any_impossible(task_.conditions[effect.condition]); }

  /// Relaxed reachability from the initial state: a fact that is not reached is never true. Actions and axioms wait
  /// for their positive conditions; a conditional effect waits for its own, and for its action.
  void find_unreachable() {
    const std::size_t actions = task_.actions(), axioms = task_.axioms();
    std::vector<Id> action_missing(actions), axiom_missing(axioms), condition_missing(task_.conditions.size());
    std::vector<bool> reached(task_.facts(), false);
    std::vector<Id> queue;
    auto reach = [&](Id fact) {
      if (reached[fact] || truth_[fact] == Truth::never) return;
      reached[fact] = true;
      queue.push_back(fact);
    };
    auto count = [](std::span<const Literal> literals) {
      return static_cast<Id>(std::ranges::count_if(literals, [](Literal l) { return !negated(l); }));
    };
    auto apply_effect = [&](const GroundEffect& effect) {
      if (!negated(effect.what) && condition_missing[effect.condition] == 0 && fires(effect))
        reach(fact_of(effect.what));
    };
    auto apply = [&](std::size_t action) { std::ranges::for_each(task_.effects[action], apply_effect); };
    build_readers();
    for (std::size_t c = 0; c < task_.conditions.size(); ++c) condition_missing[c] = count(task_.conditions[c]);
    for (std::size_t fact = 0; fact < task_.facts(); ++fact)
      if (task_.init[fact]) reach(static_cast<Id>(fact));
    for (std::size_t x = 0; x < axioms; ++x) {
      axiom_missing[x] = count(task_.axiom_bodies[x]);
      if (axiom_missing[x] == 0 && !any_impossible(task_.axiom_bodies[x])) reach(task_.axiom_heads[x]);
    }
    for (std::size_t a = 0; a < actions; ++a) {
      monitor_.check_short();
      action_missing[a] = count(task_.preconditions[a]);
      if (dead_action_[a] || any_impossible(task_.preconditions[a])) action_missing[a] = -1;
      if (action_missing[a] == 0) apply(a);
    }
    while (!queue.empty()) {
      monitor_.check();
      const Literal reached_literal = literal(queue.back(), false);
      queue.pop_back();
      for (Id c : condition_readers_[reached_literal])
        if (--condition_missing[c] == 0 && owner_[c].action >= 0 && action_missing[owner_[c].action] == 0)
          apply_effect(owner_[c].effect);
      for (Id x : axiom_readers_[reached_literal])
        if (--axiom_missing[x] == 0 && !any_impossible(task_.axiom_bodies[x])) reach(task_.axiom_heads[x]);
      for (Id a : action_readers_[reached_literal]) {
        monitor_.check_short();
        if (action_missing[a] > 0 && --action_missing[a] == 0) apply(a);
      }
    }
    for (std::size_t fact = 0; fact < task_.facts(); ++fact)
      if (!reached[fact]) truth_[fact] = Truth::never;
    for (std::size_t a = 0; a < actions; ++a)
      if (action_missing[a] != 0) dead_action_[a] = true;
  }

  void build_readers() {
    if (action_readers_.size() > 0) return;
    const std::size_t literals = 2 * task_.facts();
    auto inverse = [&](const Lists<Literal>& lists) {
      return Lists<Literal>::inverse(lists, literals, [](Literal l) { return l; }, [&] { monitor_.check_short(); });
    };
    action_readers_ = inverse(task_.preconditions);
    axiom_readers_ = inverse(task_.axiom_bodies);
    condition_readers_ = inverse(task_.conditions);
    owner_.resize(task_.conditions.size());
    for (std::size_t a = 0; a < task_.actions(); ++a)
      for (const GroundEffect& effect : task_.effects[a])
        if (effect.condition != 0) owner_[effect.condition] = {static_cast<Id>(a), effect};
  }

  /// What is true at first and never deleted stays true; what follows from nothing that varies, too.
  void find_constant() {
    std::vector<bool> deleted(task_.facts(), false);
    for (std::size_t a = 0; a < task_.actions(); ++a) {
      monitor_.check_short();
      if (dead_action_[a]) continue;
      for (const GroundEffect& effect : task_.effects[a])
        if (negated(effect.what) && fires(effect)) deleted[fact_of(effect.what)] = true;
    }
    for (std::size_t fact = 0; fact < task_.facts(); ++fact)
      if (task_.init[fact] && !deleted[fact]) truth_[fact] = Truth::always;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t x = 0; x < task_.axioms(); ++x) {
        monitor_.check_short();
        Truth& head = truth_[task_.axiom_heads[x]];
        if (head != Truth::always &&
            std::ranges::all_of(task_.axiom_bodies[x], [&](Literal l) { return certain(l); })) {
          head = Truth::always;
          changed = true;
        }
      }
    }
  }

  bool certain(Literal literal) const {
    return truth_[fact_of(literal)] == (negated(literal) ? Truth::never : Truth::always);
  }

  /// Actions that need the negation of a constant fact die; true if there was one.
  bool drop_contradicted() {
    bool changed = false;
    for (std::size_t a = 0; a < task_.actions(); ++a) {
      monitor_.check_short();
      if (dead_action_[a] || !any_impossible(task_.preconditions[a])) continue;
      dead_action_[a] = true;
      changed = true;
    }
    return changed;
  }

  /// Axioms that cannot fire, and those that fire only where another one with the same head does.
  void find_idle_axioms() {
    idle_axiom_.assign(task_.axioms(), false);
    std::vector<std::vector<Literal>> bodies(task_.axioms());
    rules_.resize(task_.facts());
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      monitor_.check_short();
      idle_axiom_[x] = any_impossible(task_.axiom_bodies[x]);
      if (idle_axiom_[x]) continue;
      for (Literal l : task_.axiom_bodies[x])
        if (truth_[fact_of(l)] == Truth::varies) bodies[x].push_back(l);
      rules_[task_.axiom_heads[x]].push_back(static_cast<Id>(x));
    }
    for (std::vector<Id>& rules : rules_) {
      std::ranges::stable_sort(rules, {}, [&](Id x) { return bodies[x].size(); });
      for (std::size_t i = 1; i < rules.size(); ++i) {
        monitor_.check_short();
        for (std::size_t j = 0; j < i && !idle_axiom_[rules[i]]; ++j)
          if (!idle_axiom_[rules[j]] && std::ranges::includes(bodies[rules[i]], bodies[rules[j]]))
            idle_axiom_[rules[i]] = true;
      }
    }
  }

  void find_changing() {
    relevant_.resize(task_.facts());
    for (std::size_t fact = 0; fact < task_.facts(); ++fact) relevant_[fact] = truth_[fact] == Truth::varies;
  }

  /// From the goal backwards: the facts whose value an action or axiom needs that changes a relevant fact.
  void find_relevant() {
    relevant_.assign(task_.facts(), false);
    std::vector<Id> queue;
    auto mark = [&](std::span<const Literal> literals) {
      for (Literal l : literals) {
        const Id fact = fact_of(l);
        if (relevant_[fact] || truth_[fact] != Truth::varies) continue;
        relevant_[fact] = true;
        queue.push_back(fact);
      }
    };
    struct Change {
      Id action, condition;
    };
    const auto changes = Lists<Change>::group(task_.facts(), [&](auto&& visit) {
      for (std::size_t a = 0; a < task_.actions(); ++a) {
        monitor_.check_short();
        if (dead_action_[a]) continue;
        for (const GroundEffect& effect : task_.effects[a])
          if (fires(effect)) visit(fact_of(effect.what), Change{static_cast<Id>(a), effect.condition});
      }
    });
    std::vector<bool> used(task_.actions(), false);
    mark(task_.goal);
    while (!queue.empty()) {
      monitor_.check();
      const Id fact = queue.back();
      queue.pop_back();
      for (Id x : rules_[fact])
        if (!idle_axiom_[x]) mark(task_.axiom_bodies[x]);
      for (const Change& change : changes[fact]) {
        monitor_.check_short();
        if (!used[change.action]) mark(task_.preconditions[change.action]);
        used[change.action] = true;
        mark(task_.conditions[change.condition]);
      }
    }
  }

  PropositionalTask rewrite() {
    PropositionalTask result;
    result.conditions.close();
    result.solvable = task_.solvable && !any_impossible(task_.goal);
    new_fact_.assign(task_.facts(), -1);
    for (std::size_t fact = 0; fact < task_.facts(); ++fact) {
      if (!relevant_[fact]) continue;
      new_fact_[fact] = static_cast<Id>(result.facts());
      result.fact_names.append(task_.fact_names[fact]);
      result.derived.push_back(task_.derived[fact]);
      result.init.push_back(task_.init[fact]);
    }
    for (Literal l : task_.goal)
      if (new_fact_[fact_of(l)] >= 0) result.goal.push_back(renamed(l));
    if (!result.solvable && !keep_irrelevant_) return result;
    result.action_names.reserve(task_.actions(), task_.action_names.total());
    result.preconditions.reserve(task_.actions(), task_.preconditions.total());
    result.effects.reserve(task_.actions(), task_.effects.total());
    result.costs.reserve(task_.actions());
    for (std::size_t a = 0; a < task_.actions(); ++a) {
      monitor_.check_short();
      if (!dead_action_[a]) rewrite_action(a, result);
    }
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      const Id head = new_fact_[task_.axiom_heads[x]];
      if (head < 0 || idle_axiom_[x]) continue;
      result.axiom_heads.push_back(head);
      append(task_.axiom_bodies[x], result.axiom_bodies);
      result.axiom_strata.push_back(task_.axiom_strata[x]);
    }
    return result;
  }

  void rewrite_action(std::size_t a, PropositionalTask& result) {
    const std::span<const Literal> precondition = task_.preconditions[a];
    bool changes = false;
    for (const GroundEffect& effect : task_.effects[a]) {
      if (new_fact_[fact_of(effect.what)] < 0 || !fires(effect) || undone(a, effect)) continue;
      // What the precondition says already is no change.
      if (effect.condition == 0 && std::ranges::binary_search(precondition, effect.what)) continue;
      Id condition = 0;
      if (std::ranges::any_of(task_.conditions[effect.condition],
                              [&](Literal l) { return new_fact_[fact_of(l)] >= 0; })) {
        condition = static_cast<Id>(result.conditions.size());
        append(task_.conditions[effect.condition], result.conditions);
      }
      result.effects.add({renamed(effect.what), condition});
      changes = true;
    }
    if (!changes && !keep_irrelevant_) return;
    result.effects.close();
    append(precondition, result.preconditions);
    result.action_names.append(task_.action_names[a]);
    result.costs.push_back(task_.costs[a]);
  }

  /// Whether the effect deletes what the action adds in any case.
  bool undone(std::size_t a, const GroundEffect& effect) const {
    if (!negated(effect.what)) return false;
    auto fact = [](const GroundEffect& e) { return fact_of(e.what); };
    return std::ranges::any_of(
        std::ranges::equal_range(task_.effects[a], fact(effect), {}, fact), [&](const GroundEffect& e) {
          return !negated(e.what) &&
                 std::ranges::all_of(task_.conditions[e.condition], [&](Literal l) { return certain(l); });
        });
  }

  void append(std::span<const Literal> literals, Lists<Literal>& to) const {
    for (Literal l : literals)
      if (new_fact_[fact_of(l)] >= 0) to.add(renamed(l));
    to.close();
  }

  Literal renamed(Literal l) const { return literal(new_fact_[fact_of(l)], negated(l)); }

  const PropositionalTask& task_;
  const bool keep_irrelevant_;
  Monitor& monitor_;
  std::vector<Truth> truth_;
  std::vector<bool> dead_action_, idle_axiom_, relevant_;
  std::vector<std::vector<Id>> rules_;                            // per fact: the axioms that derive it
  Lists<Id> action_readers_, axiom_readers_, condition_readers_;  // per literal
  struct Owner {
    Id action = -1;
    GroundEffect effect;
  };
  std::vector<Owner> owner_;  // per condition: the one effect that it belongs to (none: it was hidden by another one)
  std::vector<Id> new_fact_;
};

}  // namespace

PropositionalTask simplify(const PropositionalTask& task, const std::vector<bool>& impossible, bool keep_irrelevant,
                           Monitor& monitor, Fates* fates) {
  Simplification simplification(task, impossible, keep_irrelevant, monitor);
  PropositionalTask result = simplification.run();
  if (fates) *fates = simplification.fates();
  return result;
}

}  // namespace banditplan
