#include "ground/variables.hpp"

#include <algorithm>
#include <queue>

#include "numbered_lists.hpp"
#include "task/axioms.hpp"

namespace banditplan {

namespace {

Lists<Id> groups_of_facts(const Lists<Id>& groups, std::size_t facts) {
  return Lists<Id>::inverse(groups, facts, [](Id fact) { return fact; });
}

/// A partition of the facts into the atoms of each variable, largest groups first.
Lists<Id> choose_groups(const PropositionalTask& task, const Lists<Id>& groups) {
  struct Choice {
    std::size_t uncovered;
    Id group;
    bool operator<(const Choice& other) const {
      return uncovered != other.uncovered ? uncovered < other.uncovered : group > other.group;
    }
  };
  std::priority_queue<Choice> queue;
  for (std::size_t g = 0; g < groups.size(); ++g) queue.push({groups[g].size(), static_cast<Id>(g)});
  std::vector<Id> chosen_for(task.facts(), -1);  // per fact: the variable
  std::vector<std::vector<Id>> chosen;
  while (!queue.empty()) {
    const Choice choice = queue.top();
    queue.pop();
    std::vector<Id> uncovered;
    for (Id fact : groups[choice.group])
      if (chosen_for[fact] < 0) uncovered.push_back(fact);
    if (uncovered.size() < 2) continue;
    if (uncovered.size() < choice.uncovered) {
      queue.push({uncovered.size(), choice.group});
      continue;
    }
    for (Id fact : uncovered) chosen_for[fact] = static_cast<Id>(chosen.size());
    chosen.push_back(std::move(uncovered));
  }
  // Variables are numbered by their first fact, so that related facts stay near each other.
  Lists<Id> result;
  for (std::size_t fact = 0; fact < task.facts(); ++fact) {
    const Id group = chosen_for[fact];
    if (group < 0) {
      result.add(static_cast<Id>(fact));
      result.close();
    } else if (chosen[group][0] == static_cast<Id>(fact)) {
      result.append(chosen[group]);
    }
  }
  return result;
}

class Encoding {
 public:
  Encoding(PropositionalTask source, const Lists<Id>& groups, const LiftedTask& lifted, Monitor& monitor)
      : source_(std::move(source)),
        groups_(groups),
        lifted_(lifted),
        monitor_(monitor),
        atoms_(choose_groups(source_, groups)) {}

  Task run() {
    task_.solvable = source_.solvable;
    task_.unit_cost = lifted_.unit_cost;
    conditions_.number({});
    number_variables();
    find_none_values();
    number_facts();
    for (Literal l : source_.goal) task_.goal.push_back(fact(l));
    task_.preconditions.reserve(source_.actions(), source_.preconditions.total());
    task_.effects.reserve(source_.actions(), source_.effects.total());
    for (std::size_t a = 0; a < source_.actions(); ++a) {
      monitor_.check_short();
      task_.preconditions.append(condition(source_.preconditions[a]));
      write_effects(a);
    }
    task_.conditions = conditions_.lists();
    task_.action_names = std::move(source_.action_names);
    task_.costs = std::move(source_.costs);
    for (std::size_t x = 0; x < source_.axioms(); ++x) {
      monitor_.check_short();
      task_.axiom_heads.push_back(fact(literal(source_.axiom_heads[x], false)));
      task_.axiom_bodies.append(condition(source_.axiom_bodies[x]));
    }
    write_mutexes();
    write_initial_state();
    for (const PredicateInfo& predicate : lifted_.predicates) task_.predicates.push_back(predicate.name);
    for (const ActionSchema& action : lifted_.actions) task_.schemas.push_back(action.name);
    task_.objects = lifted_.objects;
    return std::move(task_);
  }

  /// Once it has run: the fact of each fact of the propositional task.
  std::vector<Id> facts(const Task& task) const {
    std::vector<Id> result(source_.facts());
    for (std::size_t fact = 0; fact < source_.facts(); ++fact)
      result[fact] = task.variables[variable_of_[fact]].first_fact + value_of_[fact];
    return result;
  }

 private:
  void number_variables() {
    variable_of_.resize(source_.facts());
    value_of_.resize(source_.facts());
    for (std::size_t v = 0; v < atoms_.size(); ++v) {
      for (std::size_t value = 0; value < atoms_[v].size(); ++value) {
        variable_of_[atoms_[v][value]] = static_cast<Id>(v);
        value_of_[atoms_[v][value]] = static_cast<Id>(value);
      }
      task_.variables.emplace_back();
    }
    for (std::size_t x = 0; x < source_.axioms(); ++x)
      task_.variables[variable_of_[source_.axiom_heads[x]]].layer = source_.axiom_strata[x];
  }

  /// A variable needs the value "none of its atoms" if none is true at first or some effect can bring it about.
  void find_none_values() {
    none_needed_.assign(atoms_.size(), true);
    for (std::size_t v = 0; v < atoms_.size(); ++v)
      if (std::ranges::any_of(atoms_[v], [&](Id atom) { return source_.init[atom]; })) none_needed_[v] = false;
    for (std::size_t a = 0; a < source_.actions(); ++a) {
      monitor_.check_short();
      for (const GroundEffect& effect : source_.effects[a])
        if (negated(effect.what) && !none_needed_[variable_of_[fact_of(effect.what)]] && clears(a, effect))
          none_needed_[variable_of_[fact_of(effect.what)]] = true;
    }
  }

  /// Whether a delete leaves its variable without an atom: it can fire where the atom is true, and no add on the
  /// variable fires with it.
  bool clears(std::size_t action, const GroundEffect& deletion) const {
    const Id deleted = fact_of(deletion.what);
    const Id variable = variable_of_[deleted];
    if (excluded(action, deleted)) return false;
    if (std::ranges::binary_search(source_.conditions[deletion.condition], deletion.what)) return false;
    return std::ranges::none_of(source_.effects[action], [&](const GroundEffect& effect) {
      return !negated(effect.what) && variable_of_[fact_of(effect.what)] == variable &&
             covers(action, effect, deletion);
    });
  }

  /// Whether the precondition requires another atom of the fact's variable.
  bool excluded(std::size_t action, Id fact) const {
    return std::ranges::any_of(source_.preconditions[action], [&](Literal l) {
      return !negated(l) && fact_of(l) != fact && variable_of_[fact_of(l)] == variable_of_[fact];
    });
  }

  /// Whether the add fires whenever the deletion does and the deleted fact was true.
  bool covers(std::size_t action, const GroundEffect& add, const GroundEffect& deletion) const {
    return std::ranges::all_of(source_.conditions[add.condition], [&](Literal l) {
      return l == literal(fact_of(deletion.what), false) ||
             std::ranges::binary_search(source_.conditions[deletion.condition], l) ||
             std::ranges::binary_search(source_.preconditions[action], l);
    });
  }

  void number_facts() {
    for (std::size_t v = 0; v < atoms_.size(); ++v) {
      Variable& variable = task_.variables[v];
      variable.first_fact = static_cast<Id>(task_.facts.size());
      variable.values = static_cast<Id>(atoms_[v].size()) + (none_needed_[v] ? 1 : 0);
      for (Id value = 0; value < variable.values; ++value) {
        task_.facts.push_back({static_cast<Id>(v), value, false});
        if (value < static_cast<Id>(atoms_[v].size()))
          task_.fact_names.append(source_.fact_names[atoms_[v][value]]);
        else
          task_.fact_names.close();
      }
    }
    task_.negated_facts_begin = static_cast<Id>(task_.facts.size());
    negated_fact_.assign(source_.facts(), -1);
  }

  /// The fact of a literal. The negation of one of two values is the other one; of one of more, a fact of its own.
  Id fact(Literal l) {
    const Id atom = fact_of(l);
    const Id v = variable_of_[atom];
    const Variable& variable = task_.variables[v];
    if (!negated(l)) return variable.first_fact + value_of_[atom];
    if (variable.values == 2) return variable.first_fact + 1 - value_of_[atom];
    if (negated_fact_[atom] < 0) {
      negated_fact_[atom] = static_cast<Id>(task_.facts.size());
      task_.facts.push_back({v, value_of_[atom], true});
    }
    return negated_fact_[atom];
  }

  /// The facts of a conjunction, without negations that another literal implies.
  std::span<const Id> condition(std::span<const Literal> literals) {
    facts_.clear();
    for (Literal l : literals)
      if (!negated(l) || !implied(l, literals)) facts_.push_back(fact(l));
    std::ranges::sort(facts_);
    facts_.erase(std::unique(facts_.begin(), facts_.end()), facts_.end());
    return facts_;
  }

  bool implied(Literal negative, std::span<const Literal> literals) const {
    return std::ranges::any_of(literals, [&](Literal l) {
      return !negated(l) && variable_of_[fact_of(l)] == variable_of_[fact_of(negative)];
    });
  }

  /// Deletes come first: they set "none", and adds overrule them.
  void write_effects(std::size_t a) {
    for (const GroundEffect& effect : source_.effects[a])
      if (negated(effect.what) && clears(a, effect)) write_effect(a, effect);
    for (const GroundEffect& effect : source_.effects[a])
      if (!negated(effect.what)) write_effect(a, effect);
    task_.effects.close();
  }

  void write_effect(std::size_t a, const GroundEffect& effect) {
    const std::span<const Literal> precondition = source_.preconditions[a];
    const Id atom = fact_of(effect.what);
    const Variable& variable = task_.variables[variable_of_[atom]];
    literals_.clear();
    for (Literal l : source_.conditions[effect.condition])
      if (!std::ranges::binary_search(precondition, l)) literals_.push_back(l);
    const bool deletes_one_of_many = negated(effect.what) && variable.values > 2;
    const Literal present = literal(atom, false);
    if (deletes_one_of_many && !std::ranges::binary_search(precondition, present)) literals_.push_back(present);
    Effect result{variable.first_fact + (negated(effect.what) ? variable.values - 1 : value_of_[atom]), 0};
    if (!literals_.empty()) {
      result.condition = static_cast<Id>(conditions_.number(condition(literals_)));
    }
    task_.effects.add(result);
  }

  /// The groups that did not become a variable, or a part of one.
  void write_mutexes() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto group = groups_[g];
      auto variable = [&](Id atom) { return variable_of_[atom]; };
      if (std::ranges::adjacent_find(group, std::ranges::not_equal_to(), variable) == group.end()) continue;
      for (Id atom : group) task_.mutexes.add(task_.variables[variable_of_[atom]].first_fact + value_of_[atom]);
      task_.mutexes.close();
    }
  }

  void write_initial_state() {
    for (const Variable& variable : task_.variables) task_.initial_state.push_back(variable.values - 1);
    for (std::size_t atom = 0; atom < source_.facts(); ++atom)
      if (source_.init[atom]) task_.initial_state[variable_of_[atom]] = value_of_[atom];
    AxiomEvaluator(task_, monitor_).evaluate(task_.initial_state.data());
  }

  PropositionalTask source_;
  const Lists<Id>& groups_;
  const LiftedTask& lifted_;
  Monitor& monitor_;
  Lists<Id> atoms_;  // per variable: the facts of the propositional task
  Task task_;
  NumberedLists conditions_;                               // of effects
  std::vector<Id> variable_of_, value_of_, negated_fact_;  // per fact of the propositional task
  std::vector<bool> none_needed_;
  std::vector<Id> facts_;
  std::vector<Literal> literals_;
};

}  // namespace

std::vector<bool> find_mutex_violations(const PropositionalTask& task, const Lists<Id>& groups, Monitor& monitor) {
  const Lists<Id> groups_of = groups_of_facts(groups, task.facts());
  std::vector<bool> possible(task.facts(), true);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (std::ranges::none_of(groups[g], [&](Id fact) { return task.init[fact]; }))
      for (Id fact : groups[g]) possible[fact] = false;
  std::vector<bool> violates(task.actions(), false);
  std::vector<Id> last_action(groups.size(), -1);
  for (std::size_t a = 0; a < task.actions(); ++a) {
    monitor.check_short();
    for (Literal l : task.preconditions[a]) {
      if (negated(l)) continue;
      if (!possible[fact_of(l)]) violates[a] = true;
      for (Id group : groups_of[fact_of(l)]) {
        if (last_action[group] == static_cast<Id>(a)) violates[a] = true;
        last_action[group] = static_cast<Id>(a);
      }
    }
  }
  return violates;
}

Task encode(PropositionalTask propositional, const Lists<Id>& groups, const LiftedTask& lifted, Monitor& monitor,
            std::vector<Id>* facts) {
  Encoding encoding(std::move(propositional), groups, lifted, monitor);
  Task task = encoding.run();
  if (facts) *facts = encoding.facts(task);
  return task;
}

}  // namespace banditplan
