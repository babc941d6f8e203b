#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "random.hpp"

namespace banditplan {

/// Where the costs of a synthetic arm come from: a recipe.
class Costs {
 public:
  virtual ~Costs() = default;

  virtual double mean() const = 0;
  virtual double variance() const = 0;
  /// Throws std::invalid_argument if the options make no sense.
  virtual void check() const = 0;
  /// Whether the costs are used up one by one; then `stock` are those of a new game.
  virtual bool finite() const { return false; }
  virtual std::vector<double> stock() const { return {}; }
  /// The cost of a pull; takes it out of the stock if the costs are finite.
  virtual double draw(std::vector<double>& stock, Random& random) const = 0;

 protected:
  static void require(bool ok, const char* text) {
    if (!ok) throw std::invalid_argument(text);
  }
};

struct GaussianCosts : Costs {
  double center = 0;
  double deviation = 1;

  double mean() const override { return center; }
  double variance() const override { return deviation * deviation; }
  void check() const override {
    require(std::isfinite(center) && std::isfinite(variance()) && deviation >= 0,
            "gaussian: the mean must be finite, and the deviation finite and not negative");
  }
  double draw(std::vector<double>&, Random& random) const override { return center + deviation * random.normal(); }
};

/// Bounded: every cost in [low, high) is as likely.
struct Uniform : Costs {
  double low = 0;
  double high = 1;

  double mean() const override { return low + (high - low) / 2; }
  double variance() const override { return (high - low) * (high - low) / 12; }
  void check() const override {
    require(std::isfinite(low) && std::isfinite(variance()) && low <= high,
            "uniform: the bounds must be finite, and low at most high");
  }
  double draw(std::vector<double>&, Random& random) const override { return low + (high - low) * random.uniform(); }
};

/// Deterministic.
struct Constant : Costs {
  double cost = 0;

  double mean() const override { return cost; }
  double variance() const override { return 0; }
  void check() const override { require(std::isfinite(cost), "constant: the cost must be finite"); }
  double draw(std::vector<double>&, Random&) const override { return cost; }
};

/// A finite set of costs: each is drawn once, as a search meets a state once; or any number of times.
struct Urn : Costs {
  std::vector<double> costs = {0, 1};
  bool replace = false;

  double mean() const override {
    return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
  }
  double variance() const override {
    const double center = mean();
    double sum = 0;
    for (double cost : costs) sum += (cost - center) * (cost - center);
    return sum / static_cast<double>(costs.size());
  }
  void check() const override {
    require(!costs.empty() && costs.size() <= UINT32_MAX && std::isfinite(variance()),
            "urn: there must be a cost, and all costs must be finite");
  }
  bool finite() const override { return !replace; }
  std::vector<double> stock() const override { return costs; }
  double draw(std::vector<double>& stock, Random& random) const override {
    double& drawn = stock[random.below(static_cast<std::uint32_t>(stock.size()))];
    const double cost = drawn;
    if (!replace) {
      std::swap(drawn, stock.back());
      stock.pop_back();
    }
    return cost;
  }
};

}  // namespace banditplan
