#include <set>

#include "check.hpp"
#include "novelty/approximate_novelty.hpp"
#include "novelty/novelty.hpp"
#include "random_task.hpp"
#include "task/successors.hpp"

using namespace banditplan;

namespace {

/// All sets of one and two facts that were seen.
class Seen {
 public:
  Id enter(const Task& task, const std::vector<Id>& state) {
    Id result = 3;
    for (std::size_t v = 0; v < state.size(); ++v)
      for (std::size_t w = 0; w <= v; ++w) {
        const Id f = task.variables[v].first_fact + state[v], g = task.variables[w].first_fact + state[w];
        if (seen_.insert({f, g}).second) result = std::min<Id>(result, v == w ? 1 : 2);
      }
    return result;
  }

 private:
  std::set<std::pair<Id, Id>> seen_;
};

}  // namespace

TEST(novelty_is_that_of_sets_of_facts) {
  ::Random random(7);
  int counts[4] = {};
  for (int round = 0; round < 150; ++round) {
    const Task task = random_task(random, round % 2 == 0);
    Monitor monitor;
    const SuccessorGenerator successors(task, monitor);
    SuccessorGenerator::Scratch scratch;
    Applier applier(task, monitor);
    Novelty novelty(task, 2, std::size_t{1} << 24, monitor);
    ApproximateNovelty::Options options;
    options.filter_bytes = 1 << 12;
    ApproximateNovelty sampled(task, options, monitor);
    std::vector<Seen> seen(2);
    std::vector<std::vector<Id>> states = {task.initial_state};
    Id key = 0;
    CHECK(novelty.start(0, states[0].data(), {&key, 1}) == seen[0].enter(task, states[0]));
    sampled.start(0, states[0].data(), {&key, 1});
    for (std::size_t parent = 0; parent < states.size() && states.size() < 200; ++parent) {
      for (Id action : successors.applicable(states[parent].data(), scratch)) {
        std::vector<Id> next(states[parent].size());
        applier.apply(action, states[parent].data(), next.data());
        const auto id = static_cast<Id>(states.size()), from = static_cast<Id>(parent);
        key = static_cast<Id>(random.below(2));
        const Id w = novelty.evaluate(from, action, id, next.data(), states[parent].data(), {&key, 1});
        CHECK(w == seen[key].enter(task, next));
        const Id guess = sampled.evaluate(from, action, id, next.data(), states[parent].data(), {&key, 1});
        CHECK(w < 3 ? guess == w : guess == 3 || guess == 4);
        ++counts[w];
        states.push_back(std::move(next));
      }
    }
  }
  for (int w = 1; w <= 3; ++w) CHECK(counts[w] > 20);
}
