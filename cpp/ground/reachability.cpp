#include "ground/reachability.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace banditplan {

namespace {

/// body → heads; each match is also recorded as an instance where the rule is an action or an axiom.
struct Rule {
  Query query;
  std::vector<BodyAtom> heads;
  Id instances = -1;
  Id missing = 0;  // without variables: how many body atoms have not come yet; no join is needed then
};

/// An atom of a rule's body whose new tuples start a join over the rest of the body.
struct Trigger {
  Id rule = 0;
  Id atom = 0;
  std::unique_ptr<JoinPlan> plan;
  std::int64_t planned_for = 0;  // the number of tuples in the body's relations when the plan was made
};

/// More body atoms than any rule has.
constexpr Id kNever = std::numeric_limits<Id>::max();

std::vector<Term> variables_below(std::size_t count) {
  std::vector<Term> terms(count);
  std::iota(terms.begin(), terms.end(), 0);
  return terms;
}

class Fixpoint {
 public:
  Fixpoint(const LiftedTask& task, Monitor& monitor) : task_(task), monitor_(monitor) {
    classify_predicates();
    create_relations();
    create_rules();
  }

  Reachable run() {
    fire_static_rules();
    while (next_round())
      for (std::size_t relation = 0; relation < triggers_.size(); ++relation)
        for (Trigger& trigger : triggers_[relation]) fire(trigger, static_cast<Id>(relation));
    return std::move(reachable_);
  }

 private:
  Database& database() { return reachable_.database; }

  void classify_predicates() {
    reachable_.fluent.assign(task_.predicates.size(), false);
    reachable_.derived.assign(task_.predicates.size(), false);
    for (const ActionSchema& action : task_.actions)
      for (const LiftedEffect& effect : action.effects) reachable_.fluent[effect.atom.predicate] = true;
    for (const AxiomSchema& axiom : task_.axioms) reachable_.derived[axiom.head.predicate] = true;
  }

  void create_relations() {
    std::vector<Relation>& relations = database().relations;
    for (std::size_t p = 0; p < task_.predicates.size(); ++p) {
      const auto arity = static_cast<std::size_t>(task_.predicates[p].arity);
      Relation& relation = relations.emplace_back(task_.predicates[p].arity);
      const std::vector<Id>& init = task_.init[p];
      if (arity == 0 && !init.empty()) relation.insert({});
      for (std::size_t i = 0; arity > 0 && i < init.size(); i += arity) relation.insert({init.data() + i, arity});
    }
    reachable_.first_action = static_cast<Id>(relations.size());
    for (const ActionSchema& action : task_.actions) relations.emplace_back(static_cast<Id>(action.variables.size()));
    reachable_.first_axiom = static_cast<Id>(relations.size());
    for (const AxiomSchema& axiom : task_.axioms) relations.emplace_back(static_cast<Id>(axiom.variables.size()));
    database().domains = task_.domains;
    for (const std::vector<Id>& domain : task_.domains) {
      std::vector<bool>& members = database().in_domain.emplace_back(task_.objects.size(), false);
      for (Id object : domain) members[object] = true;
    }
  }

  void create_rules() {
    for (std::size_t a = 0; a < task_.actions.size(); ++a) {
      const ActionSchema& action = task_.actions[a];
      const Id instances = reachable_.first_action + static_cast<Id>(a);
      Rule rule{{action.variables, {}, {}}, {}, instances};
      add_condition(action.precondition, reachable_, rule.query);
      for (const LiftedEffect& effect : action.effects) {
        if (effect.deletes) continue;
        if (effect.condition.empty() && effect.variables.empty())
          rule.heads.push_back({effect.atom.predicate, effect.atom.arguments});
        else
          create_effect_rule(action, effect, instances);
      }
      rules_.push_back(std::move(rule));
    }
    for (std::size_t x = 0; x < task_.axioms.size(); ++x) {
      const AxiomSchema& axiom = task_.axioms[x];
      Rule rule{{axiom.variables, {}, {}}, {}, reachable_.first_axiom + static_cast<Id>(x)};
      add_condition(axiom.body, reachable_, rule.query);
      rule.heads.push_back({axiom.head.predicate, axiom.head.arguments});
      rules_.push_back(std::move(rule));
    }
    triggers_.resize(database().relations.size());
    old_end_.assign(triggers_.size(), 0);
    end_.assign(triggers_.size(), 0);
    for (std::size_t r = 0; r < rules_.size(); ++r)
      for (std::size_t i = 0; i < rules_[r].query.atoms.size(); ++i) {
        const Id relation = rules_[r].query.atoms[i].relation;
        if (dynamic(relation)) {
          triggers_[relation].push_back({static_cast<Id>(r), static_cast<Id>(i), nullptr, 0});
          ++rules_[r].missing;
        }
      }
  }

  /// A conditional or universal add effect: it follows from an instance of its action and its condition.
  void create_effect_rule(const ActionSchema& action, const LiftedEffect& effect, Id instances) {
    Rule rule{{action.variables, {}, {}}, {{effect.atom.predicate, effect.atom.arguments}}, -1};
    rule.query.variables.insert(rule.query.variables.end(), effect.variables.begin(), effect.variables.end());
    rule.query.atoms.push_back({instances, variables_below(action.variables.size())});
    add_condition(effect.condition, reachable_, rule.query);
    rules_.push_back(std::move(rule));
  }

  bool dynamic(Id relation) const { return relation >= reachable_.first_action || reachable_.dynamic(relation); }

  /// Rules without a dynamic atom match once and for all; rules without variables whose static part
  /// does not hold can never match.
  void fire_static_rules() {
    for (Rule& rule : rules_) {
      const bool has_variables = !rule.query.variables.empty();
      if (rule.missing > 0 && has_variables) continue;
      Query query{rule.query.variables, {}, rule.query.constraints};
      for (const BodyAtom& atom : rule.query.atoms)
        if (!dynamic(atom.relation)) query.atoms.push_back(atom);
      limits_.clear();
      for (const BodyAtom& atom : query.atoms) limits_.push_back(database().relations[atom.relation].size());
      JoinPlan plan(query, {}, -1, database());
      binding_.assign(query.variables.size(), 0);
      bool matched = false;
      if (plan.admits(database(), binding_))
        plan.run(database(), limits_, binding_, monitor_, [&](const std::vector<Id>& match) {
          matched = true;
          if (rule.missing == 0) conclude(rule, match);
        });
      if (!matched) rule.missing = kNever;
    }
  }

  /// What was new has been used; what has come since is new. False when nothing has come.
  bool next_round() {
    old_end_ = end_;
    for (std::size_t r = 0; r < end_.size(); ++r) end_[r] = database().relations[r].size();
    return old_end_ != end_;
  }

  void fire(Trigger& trigger, Id relation) {
    if (old_end_[relation] == end_[relation]) return;
    Rule& rule = rules_[trigger.rule];
    const BodyAtom& atom = rule.query.atoms[trigger.atom];
    if (rule.query.variables.empty()) {
      count_down(rule, atom, relation);
      return;
    }
    if (!prepare(trigger, rule)) return;
    // An atom before the trigger counts only what is old, so that no match is found twice.
    limits_.clear();
    for (std::size_t i = 0; i < rule.query.atoms.size(); ++i) {
      const Id other = rule.query.atoms[i].relation;
      const bool only_old = static_cast<Id>(i) < trigger.atom;
      limits_.push_back(!dynamic(other) ? database().relations[other].size()
                        : only_old      ? old_end_[other]
                                        : end_[other]);
    }
    for (Id tuple = old_end_[relation]; tuple < end_[relation]; ++tuple) {
      monitor_.check_short();
      if (!bind(atom, rule.query, database().relations[relation][tuple])) continue;
      if (!trigger.plan->admits(database(), binding_)) continue;
      trigger.plan->run(database(), limits_, binding_, monitor_,
                        [&](const std::vector<Id>& match) { conclude(rule, match); });
    }
  }

  void count_down(Rule& rule, const BodyAtom& atom, Id relation) {
    for (Id tuple = old_end_[relation]; tuple < end_[relation]; ++tuple) {
      if (!bind(atom, rule.query, database().relations[relation][tuple])) continue;
      if (--rule.missing == 0) conclude(rule, binding_);
    }
  }

  /// Makes a plan, or makes it anew once the relations have outgrown it. False if the body cannot match yet.
  bool prepare(Trigger& trigger, const Rule& rule) {
    std::int64_t tuples = 0;
    for (const BodyAtom& atom : rule.query.atoms) {
      const Id size = database().relations[atom.relation].size();
      if (size == 0) return false;
      tuples += size;
    }
    if (!trigger.plan || tuples > 2 * trigger.planned_for) {
      std::vector<Id> bound;
      for (Term term : rule.query.atoms[trigger.atom].arguments)
        if (is_variable(term)) bound.push_back(term);
      trigger.plan = std::make_unique<JoinPlan>(rule.query, bound, trigger.atom, database());
      trigger.planned_for = tuples;
    }
    return true;
  }

  /// Binds the variables of the atom to the values of the tuple; false if they do not fit.
  bool bind(const BodyAtom& atom, const Query& query, std::span<const Id> tuple) {
    binding_.assign(query.variables.size(), -1);
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const Term term = atom.arguments[i];
      if (!is_variable(term)) {
        if (object_of(term) != tuple[i]) return false;
      } else if (binding_[term] < 0) {
        if (!database().in_domain[query.variables[term]][tuple[i]]) return false;
        binding_[term] = tuple[i];
      } else if (binding_[term] != tuple[i]) {
        return false;
      }
    }
    return true;
  }

  void conclude(const Rule& rule, const std::vector<Id>& match) {
    if (rule.instances >= 0) {
      Relation& instances = database().relations[rule.instances];
      if (triggers_[rule.instances].empty())
        instances.push_new(match);  // nobody looks it up
      else
        instances.insert(match);
    }
    for (const BodyAtom& head : rule.heads) {
      head_.clear();
      for (Term term : head.arguments) head_.push_back(is_variable(term) ? match[term] : object_of(term));
      database().relations[head.relation].insert(head_);
    }
  }

  const LiftedTask& task_;
  Monitor& monitor_;
  Reachable reachable_;
  std::vector<Rule> rules_;
  std::vector<std::vector<Trigger>> triggers_;  // per relation
  std::vector<Id> old_end_, end_;               // per relation: what is old ends, what is visible ends
  std::vector<Id> limits_, binding_, head_;
};

}  // namespace

void add_condition(const std::vector<LiftedLiteral>& condition, const Reachable& reachable, Query& query) {
  for (const LiftedLiteral& literal : condition) {
    const LiftedAtom& atom = literal.atom;
    if (atom.predicate == kEquality)
      query.constraints.push_back(
          {literal.negated ? Constraint::Kind::unequal : Constraint::Kind::equal, -1, atom.arguments});
    else if (!literal.negated)
      query.atoms.push_back({atom.predicate, atom.arguments});
    else if (!reachable.dynamic(atom.predicate))
      query.constraints.push_back({Constraint::Kind::absent, atom.predicate, atom.arguments});
  }
}

Reachable explore(const LiftedTask& task, Monitor& monitor) { return Fixpoint(task, monitor).run(); }

}  // namespace banditplan
