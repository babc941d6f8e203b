#include "play/play.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "logarithm.hpp"

namespace banditplan {

namespace {

/// The statistics of the costs of an arm (Welford 1962): equal costs have exactly no variance.
struct Tally {
  double count = 0;
  double mean = 0;
  double squares = 0;  // the sum of the squared differences from the mean
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();

  void add(double cost) {
    const double before = cost - mean;
    mean += before / ++count;
    squares += before * (cost - mean);
    minimum = std::min(minimum, cost);
    maximum = std::max(maximum, cost);
  }

  Arm arm(Center center) const {
    Arm result;
    result.estimate = center == Center::mean ? mean : (minimum + maximum) / 2;
    result.variance = squares / count;
    result.count = static_cast<std::uint32_t>(count) & 0x7fffffffu;
    result.open_minimum = 0;  // not locked
    return result;
  }
};

/// An arm while it is played; it has its own random numbers, which no choice can shift.
struct Lever {
  const Costs* costs;
  double mean;
  std::vector<double> stock;
  Random random;
  Tally tally;

  bool exhausted() const { return costs->finite() && stock.empty(); }
};

class Player {
 public:
  Player(const Game& game, std::uint64_t seed) : game_(game), random_(seed) {
    for (const auto& costs : game.arms)
      levers_.push_back({costs.get(), costs->mean(), costs->stock(), Random(random_.next()), {}});
    offer();
  }

  Outcome run(Monitor& monitor) {
    for (std::int64_t round = 0; round < game_.initial_pulls && !over(); ++round)
      for (std::size_t i = 0; i < levers_.size() && !over(); ++i) {
        monitor.check_short();
        if (!levers_[i].exhausted()) pull(i);
      }
    while (!over()) {
      monitor.check_short();
      pull(choose());
    }
    outcome_.regret.resize(game_.times.size(), regret_);
    outcome_.least.resize(game_.times.size(), least_);
    for (const Lever& lever : levers_) outcome_.pulls.push_back(static_cast<std::int64_t>(lever.tally.count));
    return std::move(outcome_);
  }

 private:
  bool over() const { return offered_.empty() || outcome_.regret.size() == game_.times.size(); }

  std::size_t choose() {
    if (offered_.size() == 1) return offered_[0];
    arms_.clear();
    extremes_.clear();
    for (std::size_t i : offered_) {
      const Tally& tally = levers_[i].tally;
      arms_.push_back(tally.arm(game_.bandit->center()));
      extremes_.push_back({tally.minimum, tally.maximum});
    }
    const auto total = static_cast<double>(total_);
    const Arms arms{.all = arms_, .total = total, .log_total = logarithm(total), .extremes = extremes_};
    return offered_[game_.bandit->choose(arms, random_)];
  }

  void pull(std::size_t i) {
    Lever& lever = levers_[i];
    const double cost = lever.costs->draw(lever.stock, lever.random);
    lever.tally.add(cost);
    ++total_;
    regret_ += lever.mean - best_mean_;
    least_ = std::min(least_, cost);
    if (total_ == game_.times[outcome_.regret.size()]) {
      outcome_.regret.push_back(regret_);
      outcome_.least.push_back(least_);
    }
    if (lever.exhausted()) offer();
  }

  void offer() {
    offered_.clear();
    best_mean_ = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < levers_.size(); ++i)
      if (!levers_[i].exhausted()) {
        offered_.push_back(i);
        best_mean_ = std::min(best_mean_, levers_[i].mean);
      }
  }

  const Game& game_;
  Random random_;
  std::vector<Lever> levers_;
  std::vector<std::size_t> offered_;
  std::vector<Arm> arms_;           // those on offer
  std::vector<Extremes> extremes_;  // theirs
  double best_mean_ = 0;
  std::int64_t total_ = 0;
  double regret_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  Outcome outcome_;
};

void check(const Game& game) {
  if (game.arms.empty()) throw std::invalid_argument("there is no arm");
  for (const auto& costs : game.arms) costs->check();
  if (game.initial_pulls < 1) throw std::invalid_argument("a bandit needs at least one initial pull of every arm");
  std::int64_t last = 0;
  for (std::int64_t time : game.times) {
    if (time <= last) throw std::invalid_argument("the times must be positive and ascending");
    last = time;
  }
}

}  // namespace

Outcome play(const Game& game, std::uint64_t seed, Monitor& monitor) {
  check(game);
  return Player(game, seed).run(monitor);
}

}  // namespace banditplan
