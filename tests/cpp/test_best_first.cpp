// Every search on random tasks: plans that can be executed, and the same answer from all; and small things.

#include <memory>
#include <new>

#include "check.hpp"
#include "exponential.hpp"
#include "json.hpp"
#include "random_task.hpp"
#include "searches/bfs.hpp"
#include "searches/epsilon_gbfs.hpp"
#include "searches/gbfs.hpp"
#include "searches/guct.hpp"
#include "searches/softmin_type.hpp"
#include "searches/type_gbfs.hpp"
#include "searches/wastar.hpp"
#include "states/state_store.hpp"
#include "task/successors.hpp"

namespace bp = banditplan;
using bp::Id;

namespace {

/// A tree in turn with a lexicographic queue, and a list for preferred children.
bp::BestFirst beside_a_tree(const bp::TreeList& tree, bool deferred) {
  bp::GreedyList queue;
  queue.heuristics = {std::make_shared<bp::GoalCount>(), std::make_shared<bp::Ff>()};
  bp::Alternation lists;
  lists.lists = {std::make_shared<bp::TreeList>(tree), std::make_shared<bp::GreedyList>(queue),
                 std::make_shared<bp::PreferredList>()};
  lists.boost = 10;
  bp::BestFirst search;
  search.open = std::make_shared<bp::Alternation>(lists);
  search.deferred = deferred;
  search.reopen = bp::Reopen::cheaper;
  return search;
}

std::vector<std::unique_ptr<bp::Search>> all_searches(bool preferred, bool deferred) {
  std::vector<std::unique_ptr<bp::QueueSearch>> agile;
  for (bp::Ties ties : {bp::Ties::fifo, bp::Ties::lifo, bp::Ties::random}) {
    auto gbfs = std::make_unique<bp::Gbfs>();
    gbfs->ties = ties;
    agile.push_back(std::move(gbfs));
  }
  agile.push_back(std::make_unique<bp::WAStar>());
  agile.push_back(std::make_unique<bp::SoftminType>());
  agile.push_back(std::make_unique<bp::TypeGbfs>());
  agile.push_back(std::make_unique<bp::EpsilonGbfs>());
  std::vector<std::unique_ptr<bp::Search>> result;
  for (auto& search : agile) {
    search->preferred = preferred;
    search->deferred = deferred;
    result.push_back(std::move(search));
  }
  bp::Guct guct;
  guct.preferred = preferred;
  guct.deferred = deferred;
  result.push_back(std::make_unique<bp::Guct>(guct));
  bp::TreeList flat;
  flat.bilevel = true;
  flat.collapse = 3;
  for (const bp::TreeList& tree : {bp::TreeList(), flat})
    result.push_back(std::make_unique<bp::BestFirst>(beside_a_tree(tree, deferred)));
  result.push_back(std::make_unique<bp::AStar>());
  result.push_back(std::make_unique<bp::Dijkstra>());
  result.push_back(std::make_unique<bp::Bfs>());
  return result;
}

/// Whether the actions are applicable one after the other and lead to the goal.
bool is_plan(const bp::Task& task, const std::vector<Id>& plan) {
  bp::Monitor monitor;
  bp::Applier applier(task, monitor);
  std::vector<Id> state = task.initial_state, next(state.size());
  for (Id action : plan) {
    if (!holds(task, task.preconditions[action], state.data())) return false;
    applier.apply(action, state.data(), next.data());
    state.swap(next);
  }
  return holds(task, task.goal, state.data());
}

/// Knows nothing, and has no memory left for more than one state at a time.
struct Exhausted : bp::Heuristic {
  struct OneByOne : bp::Evaluator {
    void evaluate(std::span<const Id>, std::span<bp::Value> values, bp::Lists<Id>*) override {
      if (values.size() > 1) throw std::bad_alloc();
      values[0] = 0;
    }
  };
  Bound bind(const bp::Task&, bp::Monitor&) const override { return std::make_unique<OneByOne>(); }
  bool safe() const override { return true; }
  bool same(const Heuristic& other) const override { return equal(*this, other); }
};

}  // namespace

TEST(best_first_searches_agree) {
  Random random(7);
  int solved = 0;
  for (int round = 0; round < 100; ++round) {
    bp::Task task = random_task(random, false);
    const bp::Variable& variable = task.variables[random.below(task.variables.size())];
    task.goal = {variable.first_fact + random.below(static_cast<std::size_t>(variable.values))};
    bp::Monitor monitor;
    const bp::SearchResult bfs = bp::Bfs().run({.task = task, .monitor = monitor, .limits = {20000, {}}});
    if (bfs.status == bp::Status::evaluation_limit) continue;
    solved += !bfs.plan.empty();
    for (const auto& search : all_searches(round % 2 == 1, round % 4 >= 2)) {
      const bp::SearchResult result = search->run({.task = task, .monitor = monitor, .seed = 1});
      CHECK(result.status == bfs.status);
      CHECK(result.status != bp::Status::solved || is_plan(task, result.plan));
      CHECK(result.plan.size() >= bfs.plan.size());
    }
  }
  CHECK(solved >= 10);
}

/// The first successor is the goal, and the others are so many that they are evaluated before the last of them is
/// there.
TEST(a_plan_is_told_before_the_limit_that_came_in_the_middle_of_its_round) {
  bp::Task task;
  const Id values = 2000;
  task.variables.push_back({0, values, -1});
  for (Id value = 0; value < values; ++value) task.facts.push_back({0, value, false});
  task.negated_facts_begin = values;
  task.initial_state = {0};
  task.goal = {1};
  task.conditions.close();
  for (Id value = 1; value < values; ++value) {
    task.preconditions.append(std::vector<Id>{0});
    task.effects.add({value, 0});
    task.effects.close();
    task.costs.push_back(value == 1 ? 100 : 1);
    task.action_names.close();
  }
  bp::GreedyList queue;
  queue.heuristics = {std::make_shared<Exhausted>()};
  bp::BestFirst search;
  search.open = std::make_shared<bp::GreedyList>(queue);
  bp::Monitor monitor;
  const auto searching = search.begin({task, monitor}, bp::Wanted::better_and_better_plans);
  const bp::SearchResult first = searching->next();
  CHECK(first.status == bp::Status::solved);
  CHECK(first.plan == std::vector<Id>{0});
  for (int again = 0; again < 2; ++again) {
    const bp::SearchResult second = searching->next();
    CHECK(second.status == bp::Status::memory_limit);
    CHECK(second.plan.empty());
  }
}

TEST(a_store_of_states_ends_where_they_cannot_be_told_apart_any_more) {
  Random random(3);
  const bp::Task task = random_task(random, false);
  const bp::StatePacker packer(task);
  bp::StateStore store(packer, 1);
  std::vector<Id> other = task.initial_state;
  other[0] = (other[0] + 1) % task.variables[0].values;
  const auto first = packer.packed(task.initial_state.data()), second = packer.packed(other.data());
  CHECK(store.insert(packer.hashed(first.data())).is_new);
  CHECK(!store.insert(packer.hashed(first.data())).is_new);
  CHECK_THROWS(std::bad_alloc, store.insert(packer.hashed(second.data())));
}

TEST(numbers_in_json_have_points) {
  CHECK(bp::json(0.5) == "0.5");
  CHECK(bp::json(0.1 + 0.2) == "0.30000000000000004");
  CHECK(bp::json(-1e300) == "-1e+300");
  CHECK(bp::json(3.0) == "3");
  CHECK(bp::with_point("-1,5e-07") == "-1.5e-07");
  CHECK(bp::with_point("0\u066b25") == "0.25");
  CHECK(bp::with_point("1e+300") == "1e+300");
}

TEST(exponential_is_right_to_the_last_places) {
  for (double x = 0; x > -700; x -= 0.37) {
    const double expected = std::exp(x);
    CHECK(std::abs(bp::exponential(x) - expected) <= 4e-16 * expected);
  }
  CHECK(bp::exponential(0) == 1);
  CHECK(bp::exponential(-1000) == 0);
  CHECK(bp::exponential(-std::numeric_limits<double>::infinity()) == 0);
}
