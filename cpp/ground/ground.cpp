#include "ground/ground.hpp"

#include <algorithm>

#include "ground/instantiate.hpp"
#include "ground/invariants.hpp"
#include "ground/reachability.hpp"
#include "ground/simplify.hpp"
#include "ground/variables.hpp"

namespace banditplan {

namespace {

/// All atoms before anything is simplified, and those of predicates that nothing changes.
Coverage begin_coverage(const PropositionalTask& task, const LiftedTask& lifted) {
  Coverage coverage;
  coverage.atoms = task.fact_names;
  coverage.derived = task.derived;
  coverage.fates.assign(task.facts(), Fate::kept);
  for (std::size_t fact = 0; fact < task.facts(); ++fact) coverage.facts.push_back(static_cast<Id>(fact));
  coverage.static_begin = task.facts();
  std::vector<bool> changes(lifted.predicates.size(), false);
  for (const ActionSchema& action : lifted.actions)
    for (const LiftedEffect& effect : action.effects) changes[effect.atom.predicate] = true;
  for (const AxiomSchema& axiom : lifted.axioms) changes[axiom.head.predicate] = true;
  for (std::size_t p = 0; p < changes.size(); ++p) {
    if (changes[p]) continue;
    const auto arity = static_cast<std::size_t>(lifted.predicates[p].arity);
    const std::span<const Id> objects = lifted.init[p];
    for (std::size_t at = 0; at < objects.size(); at += std::max<std::size_t>(arity, 1)) {
      coverage.atoms.add(static_cast<Id>(p));
      for (Id object : objects.subspan(at, arity)) coverage.atoms.add(object);
      coverage.atoms.close();
    }
  }
  coverage.fates.resize(coverage.atoms.size(), Fate::always);
  coverage.facts.resize(coverage.atoms.size(), -1);
  coverage.derived.resize(coverage.atoms.size(), false);
  return coverage;
}

}  // namespace

Task ground(const LiftedTask& lifted, const GroundingOptions& options, Monitor& monitor, Coverage* coverage) {
  const bool keep = options.keep_irrelevant;
  Fates fates;
  PropositionalTask task = instantiate(lifted, explore(lifted, monitor), monitor);
  if (coverage) *coverage = begin_coverage(task, lifted);
  Lists<Id> groups;
  auto next_round = [&](const std::vector<bool>& impossible) {
    task = simplify(task, impossible, keep, monitor, coverage ? &fates : nullptr);
    groups = find_mutex_groups(task, monitor);
    if (!coverage) return;
    coverage->follow(fates);
    coverage->add_groups(groups, task.init);
  };
  next_round({});
  while (options.prune_mutex && task.solvable) {
    const std::vector<bool> violates = find_mutex_violations(task, groups, monitor);
    if (std::ranges::find(violates, true) == violates.end()) break;
    next_round(violates);
  }
  std::vector<Id> facts;
  Task result = encode(std::move(task), groups, lifted, monitor, coverage ? &facts : nullptr);
  if (coverage)
    for (Id& fact : coverage->facts)
      if (fact >= 0) fact = facts[fact];
  return result;
}

}  // namespace banditplan
