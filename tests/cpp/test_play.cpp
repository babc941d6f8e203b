#include <memory>

#include "bandits/ucb1_normal.hpp"
#include "bandits/ucb1_normal2.hpp"
#include "check.hpp"
#include "play/play.hpp"

namespace bp = banditplan;

namespace {

template <class T>
std::shared_ptr<const bp::Costs> costs(T recipe) {
  return std::make_shared<T>(std::move(recipe));
}

std::shared_ptr<const bp::Costs> constant(double cost) {
  bp::Constant recipe;
  recipe.cost = cost;
  return costs(recipe);
}

std::shared_ptr<const bp::Costs> urn(std::vector<double> content) {
  bp::Urn recipe;
  recipe.costs = std::move(content);
  return costs(recipe);
}

}  // namespace

TEST(play_without_variance_regrets_the_initial_pulls_only) {
  const bp::Game game{std::make_shared<bp::Ucb1Normal2>(), {constant(4), constant(1), constant(2)}, 2, {1, 6, 1000}};
  bp::Monitor monitor;
  const bp::Outcome outcome = bp::play(game, 7, monitor);
  CHECK(outcome.regret == std::vector<double>{3, 8, 8});
  CHECK(outcome.least == std::vector<double>{4, 1, 1});
  CHECK(outcome.pulls == std::vector<std::int64_t>{2, 996, 2});
}

TEST(play_ends_when_every_urn_is_empty) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const bp::Game game{std::make_shared<bp::Ucb1Normal>(), {urn({3, 1}), urn({2}), urn({5, 0, 7})}, 1, {6, 7, 100}};
    bp::Monitor monitor;
    const bp::Outcome outcome = bp::play(game, seed, monitor);
    CHECK(outcome.pulls == std::vector<std::int64_t>{2, 1, 3});
    CHECK(outcome.least == std::vector<double>{0, 0, 0});
    CHECK(outcome.regret[0] == outcome.regret[2]);
  }
}

TEST(play_may_end_within_the_initial_pulls) {
  const bp::Game game{std::make_shared<bp::Ucb1Normal2>(), {costs(bp::GaussianCosts{}), costs(bp::Uniform{})}, 5, {3}};
  bp::Monitor monitor;
  CHECK(bp::play(game, 1, monitor).pulls == std::vector<std::int64_t>{2, 1});
}

TEST(play_refuses_what_makes_no_sense) {
  bp::Monitor monitor;
  const auto bandit = std::make_shared<bp::Ucb1Normal2>();
  CHECK_THROWS(std::invalid_argument, bp::play({bandit, {}, 1, {1}}, 0, monitor));
  CHECK_THROWS(std::invalid_argument, bp::play({bandit, {urn({})}, 1, {1}}, 0, monitor));
  CHECK_THROWS(std::invalid_argument, bp::play({bandit, {constant(1)}, 0, {1}}, 0, monitor));
  CHECK_THROWS(std::invalid_argument, bp::play({bandit, {constant(1)}, 1, {2, 2}}, 0, monitor));
}
