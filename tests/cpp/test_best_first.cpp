// Every best-first search on random tasks: plans that can be executed, and the same answer from all.

#include <functional>
#include <memory>

#include "check.hpp"
#include "exponential.hpp"
#include "random_task.hpp"
#include "searches/bfs.hpp"
#include "searches/epsilon_gbfs.hpp"
#include "searches/gbfs.hpp"
#include "searches/softmin_type.hpp"
#include "searches/type_gbfs.hpp"
#include "searches/wastar.hpp"
#include "task/successors.hpp"

namespace bp = banditplan;
using bp::Id;

namespace {

std::vector<std::unique_ptr<bp::BestFirst>> all_searches(bool preferred, bool deferred) {
  std::vector<std::unique_ptr<bp::BestFirst>> result;
  for (bp::Ties ties : {bp::Ties::fifo, bp::Ties::lifo, bp::Ties::random}) {
    auto gbfs = std::make_unique<bp::Gbfs>();
    gbfs->ties = ties;
    result.push_back(std::move(gbfs));
  }
  result.push_back(std::make_unique<bp::WAStar>());
  result.push_back(std::make_unique<bp::SoftminType>());
  result.push_back(std::make_unique<bp::TypeGbfs>());
  result.push_back(std::make_unique<bp::EpsilonGbfs>());
  for (auto& search : result) {
    search->preferred = preferred;
    search->deferred = deferred;
  }
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

}  // namespace

TEST(best_first_searches_agree) {
  Random random(7);
  int solved = 0;
  for (int round = 0; round < 100; ++round) {
    bp::Task task = random_task(random, false);
    const bp::Variable& variable = task.variables[random.below(task.variables.size())];
    task.goal = {variable.first_fact + random.below(static_cast<std::size_t>(variable.values))};
    bp::Monitor monitor;
    const bp::SearchResult bfs = static_cast<const bp::Search&>(bp::Bfs()).run(task, {20000, {}}, 0, monitor);
    if (bfs.status == bp::Status::evaluation_limit) continue;
    solved += !bfs.plan.empty();
    for (const auto& search : all_searches(round % 2 == 1, round % 4 >= 2)) {
      const bp::SearchResult result = static_cast<const bp::Search&>(*search).run(task, {}, 1, monitor);
      CHECK(result.status == bfs.status);
      CHECK(result.status != bp::Status::solved || is_plan(task, result.plan));
      CHECK(result.plan.size() >= bfs.plan.size());
    }
  }
  CHECK(solved >= 10);
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
