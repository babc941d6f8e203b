#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "check.hpp"
#include "id_sorter.hpp"
#include "random_task.hpp"
#include "segments.hpp"
#include "states/expander.hpp"
#include "states/packer.hpp"
#include "states/state_store.hpp"
#include "task/axioms.hpp"
#include "task/successors.hpp"

using namespace banditplan;

namespace {

/// Layer by layer, every axiom again and again until nothing changes.
std::vector<Id> derive_slowly(const Task& task, std::vector<Id> state) {
  Id layers = 0;
  for (std::size_t v = 0; v < state.size(); ++v)
    if (task.variables[v].derived()) {
      state[v] = 1;
      layers = std::max(layers, task.variables[v].layer + 1);
    }
  for (Id layer = 0; layer < layers; ++layer)
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t x = 0; x < task.axioms(); ++x) {
        const Id head = task.facts[task.axiom_heads[x]].variable;
        if (task.variables[head].layer != layer || state[head] == 0) continue;
        if (!holds(task, task.axiom_bodies[x], state.data())) continue;
        state[head] = 0;
        changed = true;
      }
    }
  return state;
}

Task task_with_domains(const std::vector<Id>& sizes, const std::vector<bool>& derived) {
  Task task;
  for (std::size_t v = 0; v < sizes.size(); ++v) task.variables.push_back({0, sizes[v], derived[v] ? 0 : -1});
  return task;
}

}  // namespace

TEST(packed_states_come_back) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Id> sizes;
    std::vector<bool> derived;
    for (Id v = random.below(60); v >= 0; --v) {
      derived.push_back(random.chance(15));
      const Id largest = Id{1} << random.below(round % 3 == 0 ? 31 : 6);
      sizes.push_back(derived.back() ? 2 : 1 + random.below(static_cast<std::size_t>(largest)));
    }
    const Task task = task_with_domains(sizes, derived);
    const StatePacker packer(task);
    for (int i = 0; i < 10; ++i) {
      std::vector<Id> state, result(sizes.size(), -7);
      for (Id size : sizes)
        state.push_back(random.chance(30) ? size - 1 : random.below(static_cast<std::size_t>(size)));
      std::vector<std::uint32_t> packed = packer.packed(state.data());
      std::uint64_t hash = packer.hashed(packed.data()).hash;
      CHECK(packed.size() == packer.words());
      packer.unpack(packed.data(), result.data());
      bool same = true;
      for (std::size_t v = 0; v < sizes.size(); ++v) same &= result[v] == (derived[v] ? -7 : state[v]);
      CHECK(same);
      for (std::size_t v = 0; v < sizes.size(); ++v) {
        if (derived[v]) continue;
        state[v] = random.below(static_cast<std::size_t>(sizes[v]));
        hash += packer.set(packed.data(), static_cast<Id>(v), state[v]);
      }
      CHECK(packed == packer.packed(state.data()));
      CHECK(hash == packer.hashed(packed.data()).hash);
    }
  }
}

TEST(state_store_numbers_distinct_states) {
  Random random(6);
  for (int round = 0; round < 5; ++round) {
    const Task task = task_with_domains({3, 17, 2, 40000, 5, 2}, {false, false, true, false, false, round == 0});
    const StatePacker packer(task);
    StateStore store(packer);
    std::map<std::vector<Id>, Id> expected;
    std::vector<std::vector<Id>> states;
    for (int i = 0; i < 8000; ++i) {
      std::vector<Id> state{random.below(3), random.below(17), random.below(2), random.below(20), random.below(5), 0};
      std::vector<Id> key = state;
      key[2] = 0;  // derived: does not count
      const bool is_new = !expected.contains(key);
      if (is_new) {
        expected.emplace(key, static_cast<Id>(expected.size()));
        states.push_back(key);
      }
      const std::vector<std::uint32_t> words = packer.packed(state.data());
      CHECK((store.find(packer.hashed(words.data())) == banditplan::kNotStored) == is_new);
      const StateStore::Entry entry = store.insert(packer.hashed(words.data()));
      CHECK(entry.is_new == is_new);
      CHECK(entry.id == banditplan::StoredId{expected[key]});
    }
    CHECK(store.size() == expected.size());
    CHECK(store.size() > 3000);  // it has grown
    for (std::size_t id = 0; id < states.size(); ++id) {
      std::vector<Id> state(6, 0);
      packer.unpack(store.words(banditplan::StoredId{static_cast<Id>(id)}), state.data());
      CHECK(state == states[id]);
    }
  }
}

TEST(an_expander_visits_many_successors_until_it_is_stopped) {
  constexpr Id kActions = 100;
  Task task = task_with_domains({kActions + 1, 3}, {false, false});
  for (Id value = 0; value <= kActions; ++value) task.facts.push_back({0, value, false});
  task.negated_facts_begin = static_cast<Id>(task.facts.size());
  task.conditions.close();
  for (Id a = 0; a < kActions; ++a) {
    task.preconditions.append({});
    task.effects.append(std::vector<banditplan::Effect>{{a + 1, 0}});
    task.action_names.close();
  }
  const StatePacker packer(task);
  Monitor monitor;
  Expander expander(task, packer, monitor);
  StateStore store(packer);
  const std::vector<Id> initial{0, 2};
  const std::vector<std::uint32_t> packed = packer.packed(initial.data());
  for (const Id last : {Id{0}, Id{31}, Id{32}, Id{63}, Id{64}, kActions - 1}) {
    Id seen = 0;
    expander.expand(packed.data(), store, [&](const Expander::Successor& successor) {
      CHECK(successor.values() == (std::vector<Id>{seen + 1, 2}));
      store.insert(successor.packed);
      return seen++ < last;
    });
    CHECK(seen == last + 1);
    CHECK(store.size() == static_cast<std::size_t>(seen));
  }
}

TEST(an_expander_packs_what_the_applier_makes) {
  Random random(8);
  std::size_t seen = 0;
  for (int round = 0; round < 300; ++round) {
    const Task task = random_task(random, round % 2 == 0);
    const StatePacker packer(task);
    Monitor monitor;
    Expander expander(task, packer, monitor);
    Applier applier(task, monitor);
    AxiomEvaluator axioms(task, monitor);
    for (int i = 0; i < 3; ++i) {
      std::vector<Id> state = random_state(random, task), expected(state.size());
      axioms.evaluate(state.data());
      const std::vector<std::uint32_t> packed = packer.packed(state.data());
      banditplan::ActionId last = banditplan::kNoAction;
      expander.expand(packed.data(), StateStore(packer), [&](const Expander::Successor& successor) {
        applier.apply(static_cast<Id>(successor.action), state.data(), expected.data());
        const std::vector<std::uint32_t> words = packer.packed(expected.data());
        CHECK(successor.action > last);
        CHECK(successor.values() == expected);
        CHECK(std::equal(words.begin(), words.end(), successor.packed.words));
        CHECK(successor.packed.hash == packer.hashed(words.data()).hash);
        last = successor.action;
        ++seen;
        return true;
      });
    }
  }
  CHECK(seen > 300);
}

TEST(axioms_are_evaluated_by_layers) {
  Random random(7);
  std::size_t derived_true = 0;
  for (int round = 0; round < 400; ++round) {
    const Task task = random_task(random, true);
    Monitor monitor;
    AxiomEvaluator evaluator(task, monitor);
    for (int i = 0; i < 8; ++i) {
      std::vector<Id> state = random_state(random, task);
      const std::vector<Id> expected = derive_slowly(task, state);
      for (std::size_t v = 0; v < state.size(); ++v)
        if (task.variables[v].derived()) state[v] = random.below(2);  // what was there does not matter
      evaluator.evaluate(state.data());
      CHECK(state == expected);
      for (std::size_t v = 0; v < state.size(); ++v) derived_true += task.variables[v].derived() && state[v] == 0;
    }
  }
  CHECK(derived_true > 500);
}

TEST(applicable_actions_are_those_whose_preconditions_hold) {
  Random random(8);
  std::size_t in_all = 0;
  for (int round = 0; round < 600; ++round) {
    const Task task = random_task(random, round % 2 == 0);
    Monitor monitor;
    const SuccessorGenerator successors(task, monitor);
    SuccessorGenerator::Scratch scratch;
    AxiomEvaluator axioms(task, monitor);
    for (int i = 0; i < 8; ++i) {
      std::vector<Id> state = random_state(random, task);
      axioms.evaluate(state.data());
      std::vector<Id> expected;
      for (std::size_t a = 0; a < task.actions(); ++a)
        if (holds(task, task.preconditions[a], state.data())) expected.push_back(static_cast<Id>(a));
      CHECK(std::ranges::equal(successors.applicable(state.data(), scratch), expected));
      in_all += expected.size();
    }
  }
  CHECK(in_all > 5000);
}

TEST(ids_are_sorted_whether_they_are_few_or_far_apart) {
  Random random(12);
  IdSorter sorter;
  for (int round = 0; round < 300; ++round) {
    std::set<Id> different;
    const std::uint32_t most = round % 3 == 0 ? 300 : round % 3 == 1 ? 10'000 : 5'000'000;
    for (std::uint32_t i = random.below(200); i > 0; --i) different.insert(static_cast<Id>(random.below(most)));
    const std::vector<Id> expected(different.begin(), different.end());
    std::vector<Id> ids = expected;
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
    sorter.sort(ids);
    CHECK(ids == expected);
  }
}

TEST(segments_hold_what_is_appended) {
  Random random(13);
  Segments<Id> segments;
  while (segments.size() < 50'000) {
    const auto begin = static_cast<Id>(segments.size());
    if (random.below(2) == 0)
      segments.push_back(begin);
    else
      segments.append(random.below(9'000), [&](std::size_t i) { return begin + static_cast<Id>(i); });
  }
  for (std::size_t i = 0; i < segments.size(); ++i) CHECK(segments[i] == static_cast<Id>(i));
}

TEST(a_successor_generator_takes_no_slot_per_value) {
  // Three variables with many values; of the last one, every action needs some other value.
  Task task;
  const Id values = 3000;
  for (Id v = 0; v < 3; ++v) {
    task.variables.push_back({static_cast<Id>(task.facts.size()), values, -1});
    for (Id value = 0; value < values; ++value) task.facts.push_back({v, value, false});
  }
  task.negated_facts_begin = static_cast<Id>(task.facts.size());
  Random random(10);
  std::vector<std::vector<Id>> needs;
  for (int a = 0; a < 30'000; ++a)
    needs.push_back({random.below(values), values + random.below(5), 2 * values + random.below(values)});
  for (const std::vector<Id>& each : needs) {
    task.preconditions.append(each);
    task.action_names.close();
  }
  Monitor monitor;
  const SuccessorGenerator successors(task, monitor);
  CHECK(successors.size() < 10 * task.preconditions.total());
  SuccessorGenerator::Scratch scratch;
  for (std::size_t a = 0; a < needs.size(); a += 1000) {
    const std::vector<Id> state{needs[a][0], needs[a][1] - values, needs[a][2] - 2 * values};
    std::vector<Id> expected;
    for (std::size_t b = 0; b < needs.size(); ++b)
      if (needs[b] == needs[a]) expected.push_back(static_cast<Id>(b));
    CHECK(std::ranges::equal(successors.applicable(state.data(), scratch), expected));
  }
}

TEST(what_is_made_of_a_task_is_shared) {
  Random random(11);
  const Task task = random_task(random, true);
  Monitor stopped;
  stopped.poll = [](const Progress&) { return false; };
  // Who is stopped leaves it to the next one.
  bool threw = false;
  try {
    task.shared.get<std::vector<Id>>(0, stopped, [&]() -> std::vector<Id> {
      stopped.check();
      return {};
    });
  } catch (const Stopped&) {
    threw = true;
  }
  CHECK(threw);
  std::atomic<int> made = 0;
  std::vector<std::shared_ptr<const std::vector<Id>>> found(4);
  std::vector<std::thread> threads;
  for (auto& each : found)
    threads.emplace_back([&] {
      Monitor monitor;
      each = task.shared.get<std::vector<Id>>(0, monitor, [&] { return std::vector<Id>{++made}; });
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 1);
  for (const auto& each : found) CHECK(each == found[0]);
  Monitor monitor;
  CHECK(SuccessorGenerator::of(task, monitor) == SuccessorGenerator::of(task, monitor));
  const Task copy = task;
  CHECK(SuccessorGenerator::of(copy, monitor) != SuccessorGenerator::of(task, monitor));
}

TEST(effects_see_the_state_before_and_later_ones_win) {
  Random random(9);
  for (int round = 0; round < 400; ++round) {
    const Task task = random_task(random, round % 2 == 0);
    Monitor monitor;
    Applier applier(task, monitor);
    for (std::size_t a = 0; a < task.actions(); ++a) {
      const std::vector<Id> from = derive_slowly(task, random_state(random, task));
      std::vector<Id> expected = from, to(from.size(), -1);
      for (const Effect& effect : task.effects[a])
        if (holds(task, task.conditions[effect.condition], from.data()))
          expected[task.facts[effect.fact].variable] = task.facts[effect.fact].value;
      applier.apply(static_cast<Id>(a), from.data(), to.data());
      CHECK(to == derive_slowly(task, expected));
    }
  }
}
