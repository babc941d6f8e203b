#include <algorithm>
#include <map>
#include <set>

#include "check.hpp"
#include "ground/join.hpp"
#include "ground/relation.hpp"

using namespace banditplan;

namespace {

std::vector<Id> random_tuple(Random& random, Id arity, std::size_t objects) {
  std::vector<Id> tuple;
  for (Id i = 0; i < arity; ++i) tuple.push_back(random.below(objects));
  return tuple;
}

std::vector<Id> project(std::span<const Id> tuple, std::span<const Id> positions) {
  std::vector<Id> key;
  for (Id position : positions) key.push_back(tuple[position]);
  return key;
}

}  // namespace

TEST(lists) {
  Random random(1);
  std::vector<std::vector<Id>> expected(200);
  Lists<Id> lists;
  CHECK(lists.size() == 0);
  for (std::vector<Id>& list : expected) {
    for (Id i = random.below(6); i > 0; --i) list.push_back(random.below(50));
    if (random.chance(50)) {
      lists.append(list);
    } else {
      for (Id item : list) lists.add(item);
      lists.close();
    }
  }
  CHECK(lists.size() == expected.size());
  std::size_t total = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(std::ranges::equal(lists[i], expected[i]));
    total += expected[i].size();
  }
  CHECK(lists.total() == total);
  const Lists<Id> inverse = Lists<Id>::inverse(lists, 50, [](Id item) { return item; });
  CHECK(inverse.size() == 50);
  CHECK(inverse.total() == total);
  for (Id value = 0; value < 50; ++value) {
    std::vector<Id> users;
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (Id item : expected[i])
        if (item == value) users.push_back(static_cast<Id>(i));
    CHECK(std::ranges::equal(inverse[value], users));
  }
  lists.filter([](std::size_t i) { return i % 3 != 0; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (i % 3 != 0) CHECK(std::ranges::equal(lists[kept++], expected[i]));
  CHECK(lists.size() == kept);
}

TEST(relation_is_a_set) {
  Random random(2);
  for (Id arity = 0; arity <= 4; ++arity) {
    Relation relation(arity);
    std::map<std::vector<Id>, Id> expected;
    for (int i = 0; i < 2000; ++i) {
      const std::vector<Id> tuple = random_tuple(random, arity, 7);
      const bool is_new = !expected.contains(tuple);
      if (is_new) expected.emplace(tuple, static_cast<Id>(expected.size()));
      CHECK(relation.insert(tuple) == is_new);
      CHECK(relation.size() == static_cast<Id>(expected.size()));
      const std::vector<Id> other = random_tuple(random, arity, 8);
      const auto known = expected.find(other);
      CHECK(relation.find(other) == (known == expected.end() ? -1 : known->second));
    }
    for (const auto& [tuple, id] : expected) CHECK(std::ranges::equal(relation[id], tuple));
  }
}

TEST(index_lists_the_tuples_with_a_key) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    const Id arity = 1 + random.below(4);
    Relation relation(arity);
    std::vector<Id> positions;
    for (Id i = 0; i < arity; ++i)
      if (random.chance(50)) positions.push_back(i);
    const int before = random.below(100);  // some tuples come before the index, some after
    const Index* index = nullptr;
    for (int i = 0; i < 300; ++i) {
      if (i == before) index = &relation.index(positions);
      relation.insert(random_tuple(random, arity, 6));
    }
    CHECK(&relation.index(positions) == index);
    std::map<std::vector<Id>, std::vector<Id>> expected;
    for (Id id = 0; id < relation.size(); ++id) expected[project(relation[id], positions)].push_back(id);
    CHECK(index->distinct_keys() == expected.size());
    for (int i = 0; i < 100; ++i) {
      const std::vector<Id> key = random_tuple(random, static_cast<Id>(positions.size()), 7);
      std::vector<Id> found;
      for (Id id = index->first(key, relation.data()); id >= 0; id = index->next(id)) found.push_back(id);
      CHECK(found == expected[key]);
    }
  }
}

namespace {

constexpr Id kObjects = 5;

Database random_database(Random& random) {
  Database database;
  for (Id arity : {0, 1, 2, 2, 3}) {
    Relation& relation = database.relations.emplace_back(arity);
    const Id tuples = random.below(arity == 0 ? 2 : 25);
    for (Id i = 0; i < tuples; ++i) relation.insert(random_tuple(random, arity, kObjects));
  }
  for (int d = 0; d < 3; ++d) {
    std::vector<Id> domain;
    for (Id object = 0; object < kObjects; ++object)
      if (d == 0 || random.chance(60)) domain.push_back(object);
    std::vector<bool> members(kObjects, false);
    for (Id object : domain) members[object] = true;
    database.domains.push_back(domain);
    database.in_domain.push_back(members);
  }
  return database;
}

std::vector<Term> random_terms(Random& random, Id count, std::size_t variables) {
  std::vector<Term> terms;
  for (Id i = 0; i < count; ++i)
    terms.push_back(variables > 0 && random.chance(75) ? random.below(variables) : ~random.below(kObjects));
  return terms;
}

Query random_query(Random& random, const Database& database) {
  Query query;
  for (Id v = random.below(4); v > 0; --v) query.variables.push_back(random.below(database.domains.size()));
  for (Id a = random.below(4); a > 0; --a) {
    const Id relation = random.below(database.relations.size());
    query.atoms.push_back(
        {relation, random_terms(random, database.relations[relation].arity(), query.variables.size())});
  }
  for (Id c = random.below(3); c > 0; --c) {
    Constraint constraint{static_cast<Constraint::Kind>(random.below(3)), random.below(database.relations.size()), {}};
    const Id arity = constraint.kind == Constraint::Kind::absent ? database.relations[constraint.relation].arity() : 2;
    constraint.arguments = random_terms(random, arity, query.variables.size());
    query.constraints.push_back(std::move(constraint));
  }
  return query;
}

std::vector<Id> fill_in(const std::vector<Term>& terms, const std::vector<Id>& binding) {
  std::vector<Id> values;
  for (Term term : terms) values.push_back(is_variable(term) ? binding[term] : object_of(term));
  return values;
}

bool matches(const Query& query, const Database& database, std::span<const Id> limits, const std::vector<Id>& binding) {
  for (std::size_t v = 0; v < binding.size(); ++v)
    if (!database.in_domain[query.variables[v]][binding[v]]) return false;
  for (std::size_t i = 0; i < query.atoms.size(); ++i) {
    const Id tuple = database.relations[query.atoms[i].relation].find(fill_in(query.atoms[i].arguments, binding));
    if (tuple < 0 || tuple >= limits[i]) return false;
  }
  return std::ranges::all_of(query.constraints, [&](const Constraint& constraint) {
    const std::vector<Id> values = fill_in(constraint.arguments, binding);
    if (constraint.kind == Constraint::Kind::absent) return database.relations[constraint.relation].find(values) < 0;
    return (values[0] == values[1]) == (constraint.kind == Constraint::Kind::equal);
  });
}

/// All bindings, counted like a number whose digits are objects.
std::set<std::vector<Id>> nested_loops(const Query& query, const Database& database, std::span<const Id> limits) {
  std::set<std::vector<Id>> found;
  std::vector<Id> binding(query.variables.size(), 0);
  while (true) {
    if (matches(query, database, limits, binding)) found.insert(binding);
    std::size_t v = 0;
    while (v < binding.size() && ++binding[v] == kObjects) binding[v++] = 0;
    if (v == binding.size()) return found;
  }
}

}  // namespace

TEST(join_plans_find_what_nested_loops_find) {
  Random random(4);
  Monitor monitor;
  std::size_t matches_in_all = 0;
  for (int round = 0; round < 3000; ++round) {
    Database database = random_database(random);
    const Query query = random_query(random, database);
    std::vector<Id> limits;
    for (const BodyAtom& atom : query.atoms) {
      const Id size = database.relations[atom.relation].size();
      limits.push_back(random.chance(80) ? size : random.below(size + 1));
    }
    const std::set<std::vector<Id>> expected = nested_loops(query, database, limits);
    matches_in_all += expected.size();
    // Some variables have a value from the start.
    std::vector<Id> bound, start(query.variables.size(), -1);
    for (std::size_t v = 0; v < start.size(); ++v)
      if (const auto& domain = database.domains[query.variables[v]]; !domain.empty() && random.chance(25)) {
        bound.push_back(static_cast<Id>(v));
        start[v] = domain[random.below(domain.size())];
      }
    std::set<std::vector<Id>> found;
    bool repeated = false;
    JoinPlan plan(query, bound, -1, database);
    std::vector<Id> binding = start;
    if (plan.admits(database, binding))
      plan.run(database, limits, binding, monitor,
               [&](const std::vector<Id>& match) { repeated |= !found.insert(match).second; });
    CHECK(!repeated);
    std::set<std::vector<Id>> consistent;
    for (const std::vector<Id>& match : expected)
      if (std::ranges::all_of(bound, [&](Id v) { return match[v] == start[v]; })) consistent.insert(match);
    CHECK(found == consistent);
  }
  CHECK(matches_in_all > 1000);
}
