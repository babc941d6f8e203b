#pragma once

#include <memory>
#include <vector>

#include "ground/join.hpp"
#include "ground/lifted.hpp"
#include "monitor.hpp"

namespace banditplan {

/// Everything that is reachable when deletes and negative conditions are ignored.
/// The relations of the database are: one per predicate, then one per action (its instances, as tuples of
/// the schema's variables), then one per axiom (likewise).
struct Reachable {
  Database database;
  std::vector<bool> fluent;   // per predicate: some action changes it
  std::vector<bool> derived;  // per predicate: it is the head of an axiom
  Id first_action = 0;
  Id first_axiom = 0;

  bool dynamic(Id predicate) const { return fluent[predicate] || derived[predicate]; }
};

/// The positive and the decidable part of a condition as a query: atoms to match and static constraints;
/// negative literals of predicates that change are left out.
void add_condition(const std::vector<LiftedLiteral>& condition, const Reachable& reachable, Query& query);

/// The least fixpoint, by semi-naive evaluation: each round matches only what the last round made possible.
Reachable explore(const LiftedTask& task, Monitor& monitor);

}  // namespace banditplan
