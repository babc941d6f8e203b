#include <algorithm>
#include <set>
#include <stdexcept>

#include "check.hpp"
#include "ground/ground.hpp"
#include "ground/invariants.hpp"
#include "ground/propositional.hpp"
#include "ground/simplify.hpp"
#include "ground/variables.hpp"
#include "ground/wire.hpp"

using namespace banditplan;

namespace {

/// One action (move ?x ?y): at(?x) → ¬at(?x), at(?y), seen(?y) when static(?y); one axiom; a goal.
LiftedTask empty_lifted() {
  LiftedTask task;
  task.objects = {"a", "b", "c"};
  task.domains = {{0, 1, 2}};
  task.predicates = {{"at", 1}, {"seen", 1}, {"bright", 1}, {"done", 0}};
  task.init = {{0}, {}, {1, 2}, {}};
  task.actions.resize(1);
  task.actions[0].name = "move";
  task.axioms.resize(1);
  task.functions = {{0, 5, 1, 6, 2, 7}};
  task.function_arities = {1};
  task.unit_cost = false;
  return task;
}

const std::vector<Id> kStream = {
    2, 0, 0, 2,                // move: two variables of domain 0, both visible
    1, 0, 0,                   // precondition: at ?0
    3,                         // effects:
    0, 0, 1, 0, 0,             //   not (at ?0)
    0, 0, 0, 0, 1,             //   at ?1
    0, 1, 4, 1, 0,  1, 1,      //   when (bright ?1): seen ?1
    3, 1, 0, 1,                // cost 3 + f0(?1)
    0, 3, 2, 2, ~1, 2, ~2, 0,  // axiom: done ← seen b, seen c (stratum 0)
    1, 6,                      // goal: done
};

}  // namespace

TEST(schemas_are_read) {
  LiftedTask task = empty_lifted();
  read_schemas(kStream, task);
  const ActionSchema& move = task.actions[0];
  CHECK(move.variables == std::vector<Id>{0, 0});
  CHECK(move.visible == 2);
  CHECK(move.precondition.size() == 1 && move.precondition[0].atom.predicate == 0 && !move.precondition[0].negated);
  CHECK(move.effects.size() == 3 && move.effects[0].deletes && !move.effects[1].deletes);
  CHECK(move.effects[2].condition.size() == 1 && move.effects[2].condition[0].atom.arguments == std::vector<Term>{1});
  CHECK(move.cost == 3 && move.cost_terms.size() == 1 && move.cost_terms[0].arguments == std::vector<Term>{1});
  CHECK(task.axioms[0].head.predicate == 3 && task.axioms[0].body.size() == 2);
  CHECK(task.goal.size() == 1 && task.goal[0].atom.predicate == 3);
}

TEST(a_truncated_stream_is_refused) {
  for (std::size_t size = 0; size < kStream.size(); ++size) {
    LiftedTask task = empty_lifted();
    CHECK_THROWS(std::invalid_argument, read_schemas({kStream.data(), size}, task));
  }
  LiftedTask task = empty_lifted();
  std::vector<Id> longer = kStream;
  longer.push_back(0);
  CHECK_THROWS(std::invalid_argument, read_schemas(longer, task));
}

TEST(a_corrupt_stream_is_refused_or_read_but_never_overrun) {
  Random random(10);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Id> stream = kStream;
    stream[random.below(stream.size())] = random.below(2) == 0 ? -1 - random.below(10) : random.below(60);
    LiftedTask task = empty_lifted();
    try {
      read_schemas(stream, task);
    } catch (const std::exception&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

TEST(a_small_task_is_grounded) {
  LiftedTask lifted = empty_lifted();
  read_schemas(kStream, lifted);
  Monitor monitor;
  const Task task = ground(lifted, {}, monitor);
  CHECK(task.solvable);
  // Where it is (3 values), seen b, seen c, and the derived fact. Moves from a place to itself change nothing, but
  // for b and c, which they show.
  std::vector<Id> sizes;
  for (const Variable& variable : task.variables) sizes.push_back(variable.values);
  CHECK(sizes == std::vector<Id>{3, 2, 2, 2});
  CHECK(task.variables[3].derived());
  CHECK(task.actions() == 8);
  CHECK(task.action_name(0) == "move a b");
  CHECK(task.costs[0] == 3 + 6);
  CHECK(task.axioms() == 1);
  CHECK(task.fact_name(task.goal[0]) == "(done)");
}

TEST(monitor_stops_grounding) {
  LiftedTask lifted = empty_lifted();
  read_schemas(kStream, lifted);
  Monitor monitor;
  monitor.poll = [](const Progress&) { return false; };
  CHECK_THROWS(Stopped, ground(lifted, {}, monitor));
}

namespace {

/// Builds a propositional task whose facts are (predicate, object …).
struct Builder {
  explicit Builder(const std::vector<std::vector<Id>>& facts, std::vector<bool> init) {
    for (const std::vector<Id>& fact : facts) task.fact_names.append(fact);
    task.derived.assign(facts.size(), false);
    task.init = std::move(init);
    task.conditions.close();
  }

  Id condition(const std::vector<Literal>& literals) {
    task.conditions.append(literals);
    return static_cast<Id>(task.conditions.size()) - 1;
  }
  void action(const std::vector<Literal>& precondition, const std::vector<GroundEffect>& effects) {
    task.action_names.add(static_cast<Id>(task.actions()));
    task.action_names.close();
    task.preconditions.append(precondition);
    task.effects.append(effects);
    task.costs.push_back(1);
  }

  PropositionalTask task;
};

constexpr Literal yes(Id fact) { return literal(fact, false); }
constexpr Literal no(Id fact) { return literal(fact, true); }

std::set<std::vector<Id>> groups_of(const PropositionalTask& task) {
  Monitor monitor;
  const Lists<Id> groups = find_mutex_groups(task, monitor);
  std::set<std::vector<Id>> result;
  for (std::size_t g = 0; g < groups.size(); ++g) result.insert({groups[g].begin(), groups[g].end()});
  return result;
}

}  // namespace

TEST(mutex_groups_of_two_tokens_with_names) {
  // at(t, p) for tokens 0, 1 and places 2, 3; in(t) takes the place of at.
  Builder builder({{0, 0, 2}, {0, 0, 3}, {0, 1, 2}, {0, 1, 3}, {1, 0}, {1, 1}},
                  {true, false, false, true, false, false});
  for (Id token : {0, 1}) {
    const Id here = 2 * token, there = here + 1, inside = 4 + token;
    builder.action({yes(here)}, {{no(here)}, {yes(there)}});
    builder.action({yes(there)}, {{no(there)}, {yes(inside)}});
    builder.action({yes(inside)}, {{yes(here)}, {no(inside)}});
  }
  const auto groups = groups_of(builder.task);
  CHECK(groups.contains({0, 1, 4}));
  CHECK(groups.contains({2, 3, 5}));
  for (const std::vector<Id>& group : groups) CHECK(group.size() == 3);  // nothing mixes the tokens
}

TEST(no_mutex_group_where_the_balance_fails) {
  {
    Builder unbalanced({{0, 0}, {0, 1}}, {true, false});
    unbalanced.action({yes(0)}, {{yes(1)}});
    CHECK(groups_of(unbalanced.task).empty());
  }
  {
    Builder two_at_first({{0, 0}, {0, 1}}, {true, true});
    two_at_first.action({yes(0)}, {{no(0)}, {yes(1)}});
    CHECK(groups_of(two_at_first.task).empty());
  }
  {
    Builder maybe_deleted({{0, 0}, {0, 1}, {1}}, {true, false, false});
    maybe_deleted.action({yes(0)}, {{no(0), maybe_deleted.condition({yes(2)})}, {yes(1)}});
    CHECK(groups_of(maybe_deleted.task).empty());
  }
  {
    Builder certainly_deleted({{0, 0}, {0, 1}, {1}}, {true, false, false});
    const Id condition = certainly_deleted.condition({yes(2)});
    certainly_deleted.action({yes(0), yes(2)}, {{no(0), condition}, {yes(1)}});
    CHECK(groups_of(certainly_deleted.task) == std::set<std::vector<Id>>{{0, 1}});
  }
}

TEST(actions_that_need_two_facts_of_a_group_are_impossible) {
  Builder builder({{0, 0}, {0, 1}, {1}}, {true, false, false});
  builder.action({yes(0)}, {{no(0)}, {yes(1)}});
  builder.action({yes(0), yes(1)}, {{yes(2)}});
  builder.action({yes(1), no(0)}, {{yes(2)}});
  Lists<Id> groups;
  groups.append(std::vector<Id>{0, 1});
  Monitor monitor;
  CHECK(find_mutex_violations(builder.task, groups, monitor) == std::vector<bool>{false, true, false});
}

TEST(simplify_bears_conditions_without_an_effect) {
  // A condition that no effect has, as remains where one effect hides another; and an action that contradicts what
  // always holds, so that reachability is computed again.
  Builder builder({{0}, {1}, {2}, {3}}, {false, true, true, false});
  builder.condition({yes(1)});
  builder.action({}, {{yes(0)}});
  builder.action({no(2)}, {{yes(3)}});
  builder.action({yes(0)}, {{no(0)}, {no(1)}});
  builder.action({no(1)}, {{yes(3)}});
  builder.task.goal = {yes(0), yes(3)};
  Monitor monitor;
  const PropositionalTask result = simplify(builder.task, {}, false, monitor);
  CHECK(result.solvable);
  CHECK(result.facts() == 3);
  CHECK(result.actions() == 3);
}

TEST(simplify_keeps_a_fact_that_an_action_deletes_and_certainly_adds) {
  Builder builder({{0}, {1}, {2}}, {true, true, false});
  builder.action({yes(0)}, {{yes(0), builder.condition({yes(1)})}, {no(0)}, {yes(2)}});
  builder.action({yes(0)}, {{no(0)}});
  builder.task.goal = {yes(0), yes(2)};
  Monitor monitor;
  PropositionalTask result = simplify(builder.task, {}, false, monitor);
  result = simplify(result, {}, false, monitor);
  CHECK(result.actions() == 2);
  for (const GroundEffect& effect : result.effects[0]) CHECK(!negated(effect.what));
}

TEST(simplify_can_keep_what_does_not_matter) {
  // Fact 0 is the goal, fact 1 changes without a reader, fact 2 is static; the third action changes nothing.
  Builder builder({{0}, {1}, {2}}, {false, false, true});
  builder.action({yes(2)}, {{yes(0)}});
  builder.action({yes(0)}, {{yes(1)}});
  builder.action({yes(0)}, {{yes(0)}});
  builder.task.goal = {yes(0)};
  Monitor monitor;
  CHECK(simplify(builder.task, {}, false, monitor).facts() == 1);
  CHECK(simplify(builder.task, {}, false, monitor).actions() == 1);
  CHECK(simplify(builder.task, {}, true, monitor).facts() == 2);
  CHECK(simplify(builder.task, {}, true, monitor).actions() == 3);
  builder.task.goal = {no(2)};
  CHECK(!simplify(builder.task, {}, true, monitor).solvable);
  CHECK(simplify(builder.task, {}, true, monitor).actions() == 3);
}
