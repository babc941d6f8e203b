#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bandits/bandit.hpp"
#include "monitor.hpp"
#include "play/costs.hpp"

namespace banditplan {

/// A bandit and its arms. Each arm is first pulled `initial_pulls` times, in turn; then the bandit chooses.
struct Game {
  std::shared_ptr<const Bandit> bandit;
  std::vector<std::shared_ptr<const Costs>> arms;
  std::int64_t initial_pulls = 1;
  std::vector<std::int64_t> times;  // when to look: numbers of pulls, ascending; the last one ends the game
};

/// What came of a game. The regret of a pull is the mean cost of its arm minus the least mean cost among the arms on
/// offer; an arm whose costs are used up is not. When all are, nothing more changes.
struct Outcome {
  std::vector<double> regret;       // the sum over all pulls, at each time
  std::vector<double> least;        // the least cost met, at each time
  std::vector<std::int64_t> pulls;  // of each arm, at the end
};

/// Throws std::invalid_argument if the game makes no sense, and what the monitor throws. With the same seed, the n-th
/// pull of an arm costs the same under every bandit.
Outcome play(const Game& game, std::uint64_t seed, Monitor& monitor);

}  // namespace banditplan
