#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ground/propositional.hpp"
#include "ground/simplify.hpp"
#include "task/task.hpp"

namespace banditplan {

/// What grounding took for granted of the initial state, by atoms: those that do not change, and those that are
/// reachable if deletes are ignored.
///
/// A state agrees with it if all of its true atoms are among these, none of them is one that is `never` true, all
/// that are `always` true are true, and every group has at most one true atom, or none if it is `empty`. The actions of
/// the ground task preserve this, and those that were left out cannot be applied where it holds: `always` and `never`
/// come from a fixpoint over the actions that are left, and groups from balances of single actions; none of that looks
/// at the initial state in any other way. Hence the ground task is also the one of a problem that begins in such a
/// state, and whatever can be reached from there agrees, too.
struct Coverage {
  Lists<Id> atoms;               // predicate, then objects
  std::vector<Fate> fates;       // per atom
  std::vector<Id> facts;         // per atom: its fact of the task if it is kept, or -1
  std::vector<bool> derived;     // per atom
  std::size_t static_begin = 0;  // atoms from here on are of predicates that nothing changes
  Lists<Id> groups;              // of atoms
  std::vector<bool> empty;       // per group: none of its atoms was true at first

  /// Notes another round of simplification.
  void follow(const Fates& round);
  /// Notes groups of facts of the task that the last round made.
  void add_groups(const Lists<Id>& found, const std::vector<bool>& init);
};

/// What can keep a state from taking the initial state's place; `atom` is an example.
struct Misfit {
  enum class Kind {
    unreachable,  // the atom is true, and was found to be never true
    constant,     // the atom is false, and was found to be always true
    together,     // the atom is true, and so is one that excludes it
    none,         // of the atom and those that exclude it, one must be true
    underived,    // the atom is said to be true, and does not follow from the others
  };
  Kind kind;
  Id atom;
};

/// The atoms of a ground task by their names, and the states that they make up.
class Atoms {
 public:
  /// Without a coverage only the facts of the task are known, and nothing is known to be constant.
  Atoms(const Task& task, std::optional<Coverage> coverage);

  bool covers() const { return covers_; }
  const Coverage& coverage() const { return coverage_; }
  /// Whether there are atoms that states say nothing of.
  bool has_irrelevant() const { return has_irrelevant_; }

  /// The atom that is written like this, "(at r1 north)" in lower case, or -1.
  Id find(std::string_view text) const;
  std::string text(const Task& task, Id atom) const;
  std::optional<Id> predicate(std::string_view name) const;

  /// Overwrites `values` with the state in which the given atoms are true, and no others. What is always true may be
  /// left out unless its predicate is `named`. Derived atoms must follow from the others, and are evaluated.
  std::optional<Misfit> fit(const Task& task, std::span<const Id> atoms, const std::vector<bool>& named,
                            std::vector<Id>& values, Monitor& monitor) const;
  /// The atoms that are not derived, are known to be true in a state, and can change.
  std::vector<Id> true_atoms(const Task& task, const Id* values) const;

 private:
  Coverage coverage_;
  bool covers_;
  bool has_irrelevant_ = false;
  std::unordered_map<std::string, Id> by_text_;
  std::unordered_map<std::string, Id> predicates_;
};

}  // namespace banditplan
