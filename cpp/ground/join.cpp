#include "ground/join.hpp"

#include <algorithm>
#include <cmath>

namespace banditplan {

namespace {

/// The bound positions of an atom: constants and variables that have a value.
std::vector<Id> bound_positions(const BodyAtom& atom, const std::vector<bool>& bound) {
  std::vector<Id> positions;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i)
    if (!is_variable(atom.arguments[i]) || bound[atom.arguments[i]]) positions.push_back(static_cast<Id>(i));
  return positions;
}

/// How many tuples a step through the atom will probably give.
double expected_matches(const BodyAtom& atom, std::span<const Id> positions, Database& database) {
  Relation& relation = database.relations[atom.relation];
  if (positions.size() == atom.arguments.size()) return 0.0;
  if (relation.size() == 0 || positions.empty()) return relation.size();
  return static_cast<double>(relation.size()) / static_cast<double>(relation.index(positions).distinct_keys());
}

}  // namespace

JoinPlan::JoinPlan(const Query& query, std::span<const Id> bound_variables, Id skip, Database& database)
    : domains_(query.variables), open_(query.constraints) {
  std::vector<bool> bound(query.variables.size(), false);
  for (Id variable : bound_variables) bound[variable] = true;
  attach_checks(bound, entry_checks_);

  std::vector<Id> remaining;
  for (std::size_t i = 0; i < query.atoms.size(); ++i)
    if (static_cast<Id>(i) != skip) remaining.push_back(static_cast<Id>(i));
  while (true) {
    if (plan_copy(bound)) continue;
    if (remaining.empty()) break;
    auto best = remaining.end();
    double best_matches = 0;
    for (auto it = remaining.begin(); it != remaining.end(); ++it) {
      const BodyAtom& atom = query.atoms[*it];
      const double matches = expected_matches(atom, bound_positions(atom, bound), database);
      if (best == remaining.end() || matches < best_matches) {
        best = it;
        best_matches = matches;
      }
    }
    plan_atom(query, *best, bound, database);
    remaining.erase(best);
  }
  for (std::size_t variable = 0; variable < bound.size(); ++variable)
    if (!bound[variable]) {
      plan_variable(query, static_cast<Id>(variable), bound);
      while (plan_copy(bound)) {
      }
    }
}

void JoinPlan::plan_atom(const Query& query, Id atom_index, std::vector<bool>& bound, Database& database) {
  const BodyAtom& atom = query.atoms[atom_index];
  Step step;
  step.atom = atom_index;
  step.relation = atom.relation;
  const std::vector<Id> positions = bound_positions(atom, bound);
  for (Id position : positions) step.key.push_back(atom.arguments[position]);
  if (positions.size() == atom.arguments.size()) {
    step.kind = Kind::lookup;
  } else {
    step.kind = Kind::scan;
    step.index = &database.relations[atom.relation].index(positions);
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const Term term = atom.arguments[i];
      if (!is_variable(term) || std::ranges::find(positions, static_cast<Id>(i)) != positions.end()) continue;
      const Bind bind{static_cast<Id>(i), term};
      if (bound[term]) {
        step.repeats.push_back(bind);
      } else {
        bound[term] = true;
        step.binds.push_back(bind);
        step.typed.push_back(term);
      }
    }
  }
  attach_checks(bound, step.checks);
  steps_.push_back(std::move(step));
}

bool JoinPlan::plan_copy(std::vector<bool>& bound) {
  auto has_value = [&](Term term) { return !is_variable(term) || bound[term]; };
  for (auto it = open_.begin(); it != open_.end(); ++it) {
    if (it->kind != Constraint::Kind::equal) continue;
    Term from = it->arguments[0], to = it->arguments[1];
    if (!has_value(from)) std::swap(from, to);
    if (!has_value(from)) continue;
    Step step;
    step.kind = Kind::copy;
    step.key = {from};
    step.binds = {{0, to}};
    step.typed = {to};
    bound[to] = true;
    open_.erase(it);
    attach_checks(bound, step.checks);
    steps_.push_back(std::move(step));
    return true;
  }
  return false;
}

void JoinPlan::plan_variable(const Query& query, Id variable, std::vector<bool>& bound) {
  Step step;
  step.kind = Kind::enumerate;
  step.domain = query.variables[variable];
  step.binds = {{0, variable}};
  bound[variable] = true;
  attach_checks(bound, step.checks);
  steps_.push_back(std::move(step));
}

void JoinPlan::attach_checks(const std::vector<bool>& bound, std::vector<Constraint>& checks) {
  auto ready = [&](const Constraint& constraint) {
    return std::ranges::all_of(constraint.arguments, [&](Term term) { return !is_variable(term) || bound[term]; });
  };
  auto rest = std::stable_partition(open_.begin(), open_.end(), [&](const Constraint& c) { return !ready(c); });
  checks.insert(checks.end(), rest, open_.end());
  open_.erase(rest, open_.end());
}

bool JoinPlan::holds(const std::vector<Constraint>& checks, const Database& database,
                     std::span<const Id> binding) const {
  for (const Constraint& check : checks) {
    if (check.kind == Constraint::Kind::absent) {
      scratch_.clear();
      for (Term term : check.arguments) scratch_.push_back(value(term, binding));
      if (database.relations[check.relation].find(scratch_) >= 0) return false;
    } else {
      const bool equal = value(check.arguments[0], binding) == value(check.arguments[1], binding);
      if (equal != (check.kind == Constraint::Kind::equal)) return false;
    }
  }
  return true;
}

void JoinPlan::open(Step& step, const Database& database, std::span<const Id> binding) {
  step.cursor = 0;
  if (step.kind != Kind::scan && step.kind != Kind::lookup) return;
  const Relation& relation = database.relations[step.relation];
  scratch_.clear();
  for (Term term : step.key) scratch_.push_back(value(term, binding));
  step.cursor = step.kind == Kind::lookup ? relation.find(scratch_) : step.index->first(scratch_, relation.data());
}

/// Goes to the step's next candidate that passes its checks; false when there is none left.
bool JoinPlan::advance(Step& step, const Database& database, std::span<const Id> limits, std::vector<Id>& binding) {
  switch (step.kind) {
    case Kind::scan: {
      const Relation& relation = database.relations[step.relation];
      const Id limit = limits[step.atom];
      while (step.cursor >= 0 && step.cursor < limit) {
        const std::span<const Id> tuple = relation[step.cursor];
        step.cursor = step.index->next(step.cursor);
        for (const Bind& bind : step.binds) binding[bind.variable] = tuple[bind.position];
        const bool repeats = std::ranges::all_of(
            step.repeats, [&](const Bind& bind) { return binding[bind.variable] == tuple[bind.position]; });
        if (repeats && accept(step, database, binding)) return true;
      }
      return false;
    }
    case Kind::lookup: {
      const bool found = step.cursor >= 0 && step.cursor < limits[step.atom];
      step.cursor = -1;
      return found && accept(step, database, binding);
    }
    case Kind::copy:
      if (step.cursor++ > 0) return false;
      binding[step.binds[0].variable] = value(step.key[0], binding);
      return accept(step, database, binding);
    case Kind::enumerate: {
      const std::vector<Id>& objects = database.domains[step.domain];
      while (step.cursor < static_cast<Id>(objects.size())) {
        binding[step.binds[0].variable] = objects[step.cursor++];
        if (accept(step, database, binding)) return true;
      }
      return false;
    }
  }
  return false;
}

bool JoinPlan::accept(const Step& step, const Database& database, std::span<const Id> binding) const {
  for (Id variable : step.typed) {
    const auto v = static_cast<std::size_t>(variable);
    if (!database.in_domain[domains_[v]][binding[v]]) return false;
  }
  return holds(step.checks, database, binding);
}

}  // namespace banditplan
