#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ground/lifted.hpp"
#include "ground/relation.hpp"
#include "monitor.hpp"

namespace banditplan {

/// The relations of a task under grounding, with the sets of objects that variables range over.
struct Database {
  std::vector<Relation> relations;
  std::vector<std::vector<Id>> domains;
  std::vector<std::vector<bool>> in_domain;  // per domain, per object
};

/// An atom of a rule's body; `relation` is an index into the database.
struct BodyAtom {
  Id relation = 0;
  std::vector<Term> arguments;
};

/// What must not hold (or, for equalities, must or must not hold) of a complete match.
struct Constraint {
  enum class Kind { equal, unequal, absent };
  Kind kind = Kind::equal;
  Id relation = 0;  // for `absent`
  std::vector<Term> arguments;
};

/// A conjunctive query: its matches bind every variable to an object of its domain.
struct Query {
  std::vector<Id> variables;  // the domain of each variable
  std::vector<BodyAtom> atoms;
  std::vector<Constraint> constraints;
};

/// An order in which to match the atoms of a query, given the variables bound at the start.
/// A step either follows an index (scan), looks one tuple up (when all its terms are bound), copies
/// the value of an equal term, or tries all objects of a variable's domain.
class JoinPlan {
 public:
  /// `skip`: an atom that has been matched already (-1: none).
  JoinPlan(const Query& query, std::span<const Id> bound, Id skip, Database& database);

  /// Calls `found(binding)` for every match that extends `binding`. Tuples of atom i count only below
  /// `limits[i]`. The database may grow during the calls.
  template <class Found>
  void run(const Database& database, std::span<const Id> limits, std::vector<Id>& binding, Monitor& monitor,
           Found&& found);

  /// Whether the constraints on the initially bound variables alone hold.
  bool admits(const Database& database, std::span<const Id> binding) const {
    return holds(entry_checks_, database, binding);
  }

 private:
  enum class Kind { scan, lookup, copy, enumerate };
  struct Bind {
    Id position;
    Id variable;
  };
  struct Step {
    Kind kind = Kind::scan;
    Id atom = -1;
    Id relation = -1;
    Id domain = -1;  // enumerate: the objects to try
    const Index* index = nullptr;
    std::vector<Term> key;      // scan, lookup: the terms of the key; copy: the one term
    std::vector<Bind> binds;    // positions whose value binds a variable
    std::vector<Bind> repeats;  // positions that must repeat a value bound in the same step
    std::vector<Id> typed;      // bound variables whose domain must be checked
    std::vector<Constraint> checks;
    Id cursor = 0;  // the tuple, or the place in the domain, that comes next
  };

  static Id value(Term term, std::span<const Id> binding) {
    return is_variable(term) ? binding[term] : object_of(term);
  }
  bool holds(const std::vector<Constraint>& checks, const Database& database, std::span<const Id> binding) const;
  void open(Step& step, const Database& database, std::span<const Id> binding);
  bool advance(Step& step, const Database& database, std::span<const Id> limits, std::vector<Id>& binding);
  bool accept(const Step& step, const Database& database, std::span<const Id> binding) const;
  void plan_atom(const Query& query, Id atom, std::vector<bool>& bound, Database& database);
  void plan_variable(const Query& query, Id variable, std::vector<bool>& bound);
  bool plan_copy(std::vector<bool>& bound);
  /// Moves the constraints that can be checked once `bound` is bound from `open_` to `checks`.
  void attach_checks(const std::vector<bool>& bound, std::vector<Constraint>& checks);

  std::vector<Id> domains_;
  std::vector<Step> steps_;
  std::vector<Constraint> entry_checks_;
  std::vector<Constraint> open_;  // while planning: constraints without a step yet
  mutable std::vector<Id> scratch_;
};

template <class Found>
void JoinPlan::run(const Database& database, std::span<const Id> limits, std::vector<Id>& binding, Monitor& monitor,
                   Found&& found) {
  if (steps_.empty()) {
    found(binding);
    return;
  }
  std::size_t level = 0;
  open(steps_[0], database, binding);
  while (true) {
    monitor.check_short();
    if (!advance(steps_[level], database, limits, binding)) {
      if (level == 0) return;
      --level;
    } else if (level + 1 == steps_.size()) {
      found(binding);
    } else {
      ++level;
      open(steps_[level], database, binding);
    }
  }
}

}  // namespace banditplan
