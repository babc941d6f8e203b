#include "ground/coverage.hpp"

#include <algorithm>

#include "task/axioms.hpp"

namespace banditplan {

void Coverage::follow(const Fates& round) {
  for (std::size_t atom = 0; atom < facts.size(); ++atom) {
    if (facts[atom] < 0) continue;
    fates[atom] = round.fates[facts[atom]];
    facts[atom] = round.numbers[facts[atom]];
  }
}

void Coverage::add_groups(const Lists<Id>& found, const std::vector<bool>& init) {
  std::vector<Id> atom_of(init.size());
  for (std::size_t atom = 0; atom < facts.size(); ++atom)
    if (facts[atom] >= 0) atom_of[facts[atom]] = static_cast<Id>(atom);
  for (std::size_t g = 0; g < found.size(); ++g) {
    for (Id fact : found[g]) groups.add(atom_of[fact]);
    groups.close();
    empty.push_back(std::ranges::none_of(found[g], [&](Id fact) { return init[fact]; }));
  }
}

namespace {

/// Every named fact of the task, as far as that tells.
Coverage facts_alone(const Task& task) {
  Coverage coverage;
  for (Id fact = 0; fact < task.negated_facts_begin; ++fact) {
    if (task.fact_names[fact].empty()) continue;
    coverage.atoms.append(task.fact_names[fact]);
    coverage.fates.push_back(Fate::kept);
    coverage.facts.push_back(fact);
    coverage.derived.push_back(task.variables[task.facts[fact].variable].derived());
  }
  coverage.static_begin = coverage.facts.size();
  return coverage;
}

}  // namespace

Atoms::Atoms(const Task& task, std::optional<Coverage> coverage)
    : coverage_(coverage ? std::move(*coverage) : facts_alone(task)), covers_(coverage.has_value()) {
  by_text_.reserve(coverage_.atoms.size());
  for (std::size_t atom = 0; atom < coverage_.atoms.size(); ++atom) {
    by_text_.emplace(text(task, static_cast<Id>(atom)), static_cast<Id>(atom));
    if (coverage_.fates[atom] == Fate::irrelevant) has_irrelevant_ = true;
  }
  for (std::size_t p = 0; p < task.predicates.size(); ++p) predicates_.emplace(task.predicates[p], static_cast<Id>(p));
}

Id Atoms::find(std::string_view text) const {
  const auto found = by_text_.find(std::string(text));
  return found == by_text_.end() ? -1 : found->second;
}

std::string Atoms::text(const Task& task, Id atom) const {
  const std::span<const Id> name = coverage_.atoms[atom];
  std::string result = "(" + task.predicates[name[0]];
  for (Id object : name.subspan(1)) result += ' ' + task.objects[object];
  return result + ")";
}

std::optional<Id> Atoms::predicate(std::string_view name) const {
  const auto found = predicates_.find(std::string(name));
  if (found == predicates_.end()) return std::nullopt;
  return found->second;
}

std::optional<Misfit> Atoms::fit(const Task& task, std::span<const Id> atoms, const std::vector<bool>& named,
                                 std::vector<Id>& values, Monitor& monitor) const {
  using Kind = Misfit::Kind;
  std::vector<bool> is_true(coverage_.facts.size(), false);
  for (Id atom : atoms) is_true[atom] = true;
  // What never changes.
  for (std::size_t atom = 0; atom < is_true.size(); ++atom) {
    if (coverage_.derived[atom]) continue;
    const Id id = static_cast<Id>(atom);
    if (is_true[atom] && coverage_.fates[atom] == Fate::never) return Misfit{Kind::unreachable, id};
    const bool given = named[coverage_.atoms[atom][0]];
    if (given && !is_true[atom] && coverage_.fates[atom] == Fate::always) return Misfit{Kind::constant, id};
  }
  for (std::size_t g = 0; g < coverage_.groups.size(); ++g) {
    bool taken = coverage_.empty[g];
    for (Id atom : coverage_.groups[g]) {
      if (!is_true[atom]) continue;
      if (taken) return Misfit{coverage_.empty[g] ? Kind::unreachable : Kind::together, atom};
      taken = true;
    }
  }
  // The variables' values; -1: not known yet.
  values.assign(task.variables.size(), -1);
  for (Id atom : atoms) {
    const Id fact = coverage_.facts[atom];
    if (fact < 0 || coverage_.derived[atom]) continue;
    Id& value = values[task.facts[fact].variable];
    if (value >= 0 && value != task.facts[fact].value) return Misfit{Kind::together, atom};
    value = task.facts[fact].value;
  }
  for (std::size_t v = 0; v < values.size(); ++v) {
    const Variable& variable = task.variables[v];
    if (values[v] >= 0) continue;
    values[v] = variable.values - 1;
    const Id last = variable.first_fact + variable.values - 1;
    if (variable.derived() || task.fact_names[last].empty()) continue;
    return Misfit{Kind::none, find(task.fact_name(variable.first_fact))};
  }
  AxiomEvaluator(task, monitor).evaluate(values.data());
  for (Id atom : atoms) {
    if (!coverage_.derived[atom]) continue;
    const Id fact = coverage_.facts[atom];
    if (coverage_.fates[atom] == Fate::never || (fact >= 0 && !holds(task, fact, values.data())))
      return Misfit{Kind::underived, atom};
  }
  return std::nullopt;
}

std::vector<Id> Atoms::true_atoms(const Task& task, const Id* values) const {
  std::vector<Id> result;
  for (std::size_t atom = 0; atom < coverage_.static_begin; ++atom) {
    if (coverage_.derived[atom]) continue;
    const Id fact = coverage_.facts[atom];
    if (coverage_.fates[atom] == Fate::always || (fact >= 0 && holds(task, fact, values)))
      result.push_back(static_cast<Id>(atom));
  }
  return result;
}

}  // namespace banditplan
