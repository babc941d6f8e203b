#include "ground/instantiate.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace banditplan {

namespace {

/// The ids of a relation's tuples in lexicographic order of their objects.
std::vector<Id> sorted_tuples(const Relation& relation, std::size_t objects, Monitor& monitor) {
  auto checked = [&](auto less) {
    return [&monitor, less](const auto& a, const auto& b) {
      monitor.check_short();
      return less(a, b);
    };
  };
  std::vector<Id> order(relation.size());
  std::iota(order.begin(), order.end(), 0);
  const int bits = std::bit_width(objects);
  if (relation.arity() * bits <= 64) {
    std::vector<std::pair<std::uint64_t, Id>> keys;
    keys.reserve(order.size());
    for (Id tuple : order) {
      std::uint64_t key = 0;
      for (Id object : relation[tuple]) key = key << bits | static_cast<std::uint32_t>(object);
      keys.emplace_back(key, tuple);
    }
    if (!std::ranges::is_sorted(keys)) std::ranges::sort(keys, checked(std::less{}));
    std::ranges::transform(keys, order.begin(), [](const auto& key) { return key.second; });
  } else {
    std::ranges::sort(
        order, checked([&](Id a, Id b) { return std::ranges::lexicographical_compare(relation[a], relation[b]); }));
  }
  return order;
}

/// Sorts, removes duplicates; false if the conjunction contains a fact and its negation.
bool tidy(std::vector<Literal>& literals) {
  std::ranges::sort(literals);
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  for (std::size_t i = 1; i < literals.size(); ++i)
    if (fact_of(literals[i]) == fact_of(literals[i - 1])) return false;
  return true;
}

class Instantiation {
 public:
  Instantiation(const LiftedTask& task, Reachable reachable, Monitor& monitor)
      : task_(task), reachable_(std::move(reachable)), monitor_(monitor) {}

  PropositionalTask run() {
    result_.conditions.close();  // the empty condition
    name_facts();
    reserve_actions();
    for (std::size_t a = 0; a < task_.actions.size(); ++a) write_actions(static_cast<Id>(a));
    for (std::size_t x = 0; x < task_.axioms.size(); ++x) write_axioms(static_cast<Id>(x));
    write_goal();
    return std::move(result_);
  }

 private:
  Database& database() { return reachable_.database; }

  void name_facts() {
    fact_ids_.resize(task_.predicates.size());
    for (std::size_t p = 0; p < task_.predicates.size(); ++p) {
      if (!reachable_.dynamic(static_cast<Id>(p))) continue;
      const Relation& relation = database().relations[p];
      const bool derived = reachable_.derived[p];
      const auto arity = static_cast<std::size_t>(relation.arity());
      const std::size_t initial = arity == 0 ? !task_.init[p].empty() : task_.init[p].size() / arity;
      fact_ids_[p].resize(relation.size());
      for (Id tuple : sorted_tuples(relation, task_.objects.size(), monitor_)) {
        monitor_.check_short();
        fact_ids_[p][tuple] = static_cast<Id>(result_.facts());
        result_.fact_names.add(static_cast<Id>(p));
        for (Id object : relation[tuple]) result_.fact_names.add(object);
        result_.fact_names.close();
        result_.derived.push_back(derived);
        // The initial atoms were entered first, each once.
        result_.init.push_back(!derived && tuple < static_cast<Id>(initial));
      }
    }
  }

  /// The fact of a reachable ground atom, or -1.
  Id fact(const LiftedAtom& atom, std::span<const Id> binding) {
    tuple_.clear();
    for (Term term : atom.arguments) tuple_.push_back(is_variable(term) ? binding[term] : object_of(term));
    const Id tuple = database().relations[atom.predicate].find(tuple_);
    return tuple < 0 ? -1 : fact_ids_[atom.predicate][tuple];
  }

  bool is_dynamic(const LiftedLiteral& lifted) const {
    return lifted.atom.predicate != kEquality && reachable_.dynamic(lifted.atom.predicate);
  }

  /// The dynamic literals of a condition that was matched; unreachable facts are false for good.
  /// False if the condition contradicts itself.
  bool ground(const std::vector<LiftedLiteral>& condition, std::span<const Id> binding, std::vector<Literal>& out) {
    out.clear();
    for (const LiftedLiteral& lifted : condition) {
      if (!is_dynamic(lifted)) continue;
      const Id id = fact(lifted.atom, binding);
      if (id >= 0) out.push_back(literal(id, lifted.negated));
    }
    return tidy(out);
  }

  /// Enough for actions without universal effects.
  void reserve_actions() {
    std::size_t actions = 0, names = 0, literals = 0, effects = 0;
    for (std::size_t a = 0; a < task_.actions.size(); ++a) {
      const ActionSchema& action = task_.actions[a];
      const std::size_t instances = database().relations[reachable_.first_action + static_cast<Id>(a)].size();
      actions += instances;
      names += instances * (1 + action.visible);
      literals += instances * static_cast<std::size_t>(std::ranges::count_if(
                                  action.precondition, [&](const auto& each) { return is_dynamic(each); }));
      effects += instances * action.effects.size();
    }
    result_.action_names.reserve(actions, names);
    result_.preconditions.reserve(actions, literals);
    result_.effects.reserve(actions, effects);
    result_.costs.reserve(actions);
  }

  void write_actions(Id a) {
    const ActionSchema& action = task_.actions[a];
    Relation& instances = database().relations[reachable_.first_action + a];
    std::vector<std::unique_ptr<JoinPlan>> plans;
    for (const LiftedEffect& effect : action.effects) plans.push_back(plan_effect(action, effect));
    for (Id tuple : sorted_tuples(instances, task_.objects.size(), monitor_)) {
      monitor_.check_short();
      binding_.assign(instances[tuple].begin(), instances[tuple].end());
      if (!ground(action.precondition, binding_, literals_)) continue;
      result_.preconditions.append(literals_);
      result_.action_names.add(a);
      for (std::size_t i = 0; i < action.visible; ++i) result_.action_names.add(binding_[i]);
      result_.action_names.close();
      result_.costs.push_back(cost(action));
      for (std::size_t e = 0; e < action.effects.size(); ++e) write_effect(action, action.effects[e], plans[e].get());
      close_effects();
    }
    instances = Relation(instances.arity());
  }

  /// A plan to enumerate the instances of a conditional or universal effect; none for a plain effect.
  /// A delete matters only where the deleted fact is reachable.
  std::unique_ptr<JoinPlan> plan_effect(const ActionSchema& action, const LiftedEffect& effect) {
    if (effect.condition.empty() && effect.variables.empty()) return nullptr;
    Query query{action.variables, {}, {}};
    query.variables.insert(query.variables.end(), effect.variables.begin(), effect.variables.end());
    add_condition(effect.condition, reachable_, query);
    if (effect.deletes) query.atoms.push_back({effect.atom.predicate, effect.atom.arguments});
    std::vector<Id> bound(action.variables.size());
    std::iota(bound.begin(), bound.end(), 0);
    return std::make_unique<JoinPlan>(query, bound, -1, database());
  }

  void write_effect(const ActionSchema& action, const LiftedEffect& effect, JoinPlan* plan) {
    if (!plan) {
      const Id id = fact(effect.atom, binding_);
      if (id >= 0) effects_.push_back({literal(id, effect.deletes), 0});
      return;
    }
    if (!plan->admits(database(), binding_)) return;
    limits_.assign(effect.condition.size() + 1, std::numeric_limits<Id>::max());
    binding_.resize(action.variables.size() + effect.variables.size());
    plan->run(database(), limits_, binding_, monitor_, [&](const std::vector<Id>& match) {
      if (!ground(effect.condition, match, condition_)) return;
      Id condition = 0;
      if (!condition_.empty()) {
        condition = static_cast<Id>(result_.conditions.size());
        result_.conditions.append(condition_);
      }
      effects_.push_back({literal(fact(effect.atom, match), effect.deletes), condition});
    });
    binding_.resize(action.variables.size());
  }

  /// Sorted effects without repetition; an unconditional add hides every other effect on its fact,
  /// an unconditional delete every conditional one.
  void close_effects() {
    auto key = [](const GroundEffect& e) { return std::tuple(fact_of(e.what), e.condition != 0, e.what, e.condition); };
    std::ranges::sort(effects_, {}, key);
    Id hidden_adds = -1, hidden_deletes = -1;
    for (const GroundEffect& effect : effects_) {
      const Id id = fact_of(effect.what);
      if (id == hidden_adds || (negated(effect.what) && id == hidden_deletes)) continue;
      if (effect.condition == 0) (negated(effect.what) ? hidden_deletes : hidden_adds) = id;
      result_.effects.add(effect);
    }
    result_.effects.close();
    effects_.clear();
  }

  Id cost(const ActionSchema& action) {
    if (task_.unit_cost) return 1;
    std::int64_t sum = action.cost;
    for (const CostTerm& term : action.cost_terms) sum += function_value(term);
    if (sum > std::numeric_limits<Id>::max()) throw std::overflow_error("an action cost exceeds 2147483647");
    return static_cast<Id>(sum);
  }

  Id function_value(const CostTerm& term) {
    if (functions_.empty()) read_functions();
    tuple_.clear();
    for (Term t : term.arguments) tuple_.push_back(is_variable(t) ? binding_[t] : object_of(t));
    const Id entry = functions_[term.function].find(tuple_);
    if (entry < 0) throw MissingCost{term.function, tuple_};
    return function_values_[term.function][entry];
  }

  void read_functions() {
    for (std::size_t f = 0; f < task_.functions.size(); ++f) {
      const auto arity = static_cast<std::size_t>(task_.function_arities[f]);
      const std::vector<Id>& table = task_.functions[f];
      Relation& relation = functions_.emplace_back(task_.function_arities[f]);
      std::vector<Id>& values = function_values_.emplace_back();
      for (std::size_t i = 0; i < table.size(); i += arity + 1)
        if (relation.insert({table.data() + i, arity})) values.push_back(table[i + arity]);
    }
  }

  void write_axioms(Id x) {
    const AxiomSchema& axiom = task_.axioms[x];
    Relation& instances = database().relations[reachable_.first_axiom + x];
    for (Id tuple : sorted_tuples(instances, task_.objects.size(), monitor_)) {
      monitor_.check_short();
      binding_.assign(instances[tuple].begin(), instances[tuple].end());
      if (!ground(axiom.body, binding_, literals_)) continue;
      const Id head = fact(axiom.head, binding_);
      if (std::ranges::binary_search(literals_, literal(head, false))) continue;
      result_.axiom_heads.push_back(head);
      result_.axiom_bodies.append(literals_);
      result_.axiom_strata.push_back(axiom.stratum);
    }
    instances = Relation(instances.arity());
  }

  void write_goal() {
    for (const LiftedLiteral& lifted : task_.goal) {
      const Id id = is_dynamic(lifted) ? fact(lifted.atom, {}) : -1;
      if (id >= 0)
        result_.goal.push_back(literal(id, lifted.negated));
      else if (holds(lifted) == lifted.negated)
        result_.solvable = false;
    }
    if (!tidy(result_.goal)) result_.solvable = false;
  }

  /// Whether a static or unreachable ground atom holds.
  bool holds(const LiftedLiteral& lifted) {
    const LiftedAtom& atom = lifted.atom;
    if (atom.predicate == kEquality) return atom.arguments[0] == atom.arguments[1];
    tuple_.clear();
    for (Term term : atom.arguments) tuple_.push_back(object_of(term));
    return database().relations[atom.predicate].find(tuple_) >= 0;
  }

  const LiftedTask& task_;
  Reachable reachable_;
  Monitor& monitor_;
  PropositionalTask result_;
  std::vector<std::vector<Id>> fact_ids_;  // per predicate, per tuple
  std::vector<Relation> functions_;
  std::vector<std::vector<Id>> function_values_;
  std::vector<Id> tuple_, binding_, limits_;
  std::vector<Literal> literals_, condition_;
  std::vector<GroundEffect> effects_;
};

}  // namespace

PropositionalTask instantiate(const LiftedTask& task, Reachable reachable, Monitor& monitor) {
  return Instantiation(task, std::move(reachable), monitor).run();
}

}  // namespace banditplan
