#include "heuristics/relaxation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "heuristics/lanes/lane_kernel.hpp"
#include "heuristics/scalar_kernel.hpp"

namespace banditplan {

namespace {

/// Uses the kernel that has been faster lately. The lanes take about the same time however few of them are used, the
/// scalar kernel takes its time for every state; every now and then the other one gets a chance.
class Relaxation : public Evaluator {
 public:
  Relaxation(const Task& task, const RelaxationOptions& options)
      : network_(task, options.cost), scalar_(make_scalar_kernel(task, network_, options)) {
    const char* forced = std::getenv("BANDITPLAN_KERNEL");
    const bool only_scalar = forced && std::string(forced) == "scalar";
    const LaneProgram* program = find_lane_program(only_scalar ? nullptr : forced);
    if (!program)
      throw std::invalid_argument("BANDITPLAN_KERNEL=" + std::string(forced) +
                                  ": this machine has no such kernel; there are scalar, plain, avx2, avx512");
    const bool vectorisable = options.cost == CostType::unit && task.axioms() == 0 && network_.operators() > 0;
    if (only_scalar || !vectorisable) return;
    lanes_ = make_lane_kernel(task, network_, options, *program, *scalar_);
    only_lanes_ = forced != nullptr;
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    if (values.empty()) return;
    if (!lanes_ || only_lanes_) {
      (lanes_ ? lanes_ : scalar_)->evaluate(states, values, preferred);
      return;
    }
    using Clock = std::chrono::steady_clock;
    const bool lanes = choose_lanes(values.size());
    const auto begin = Clock::now();
    (lanes ? lanes_ : scalar_)->evaluate(states, values, preferred);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (lanes)
      lane_seconds_.enter(seconds / static_cast<double>((values.size() + kLanes - 1) / kLanes));
    else
      scalar_seconds_.enter(seconds / static_cast<double>(values.size()));
  }

  std::size_t spare(std::size_t states, double useful) const override {
    const std::size_t idle = (kLanes - states % kLanes) % kLanes;
    if (!lanes_ || idle == 0) return 0;
    if (only_lanes_) return idle;
    const double worth = static_cast<double>(states) + useful * static_cast<double>(idle);
    return lane_seconds_.known && lane_seconds_.value < scalar_seconds_.value * worth ? idle : 0;
  }

 private:
  struct Average {
    double value = 0;
    bool known = false;
    void enter(double seconds) {
      value = known ? value + (seconds - value) / 8 : seconds;
      known = true;
    }
  };

  bool choose_lanes(std::size_t states) {
    if (!scalar_seconds_.known) return false;
    if (!lane_seconds_.known) return true;
    const double scalar = scalar_seconds_.value * static_cast<double>(states);
    const double lanes = lane_seconds_.value * static_cast<double>((states + kLanes - 1) / kLanes);
    const bool better = lanes < scalar;
    if (++calls_ < next_chance_) return better;
    // The slower the other one is, the longer it waits for its next chance.
    next_chance_ = calls_ + static_cast<std::uint64_t>(kCallsPerChance * std::max(lanes / scalar, scalar / lanes));
    return !better;
  }

  static constexpr double kCallsPerChance = 64;

  RelaxedNetwork network_;
  std::unique_ptr<Evaluator> scalar_, lanes_;
  bool only_lanes_ = false;
  Average scalar_seconds_, lane_seconds_;  // per state; per group of lanes
  std::uint64_t calls_ = 0, next_chance_ = 64;
};

/// For a task that was proved unsolvable.
class Hopeless : public Evaluator {
 public:
  void evaluate(std::span<const Id>, std::span<Id> values, Lists<Id>* preferred) override {
    std::ranges::fill(values, kDeadEnd);
    for (std::size_t i = 0; preferred && i < values.size(); ++i) preferred->close();
  }
};

}  // namespace

std::unique_ptr<Evaluator> make_relaxation(const Task& task, const RelaxationOptions& options) {
  if (!task.solvable) return std::make_unique<Hopeless>();
  return std::make_unique<Relaxation>(task, options);
}

Lists<Id> adders_by_fact(const Task& task) {
  const Lists<Id> negated = negated_facts(task);
  Lists<Id> added;
  for (std::size_t a = 0; a < task.actions(); ++a) {
    for (const Effect& effect : task.effects[a]) {
      added.add(effect.fact);
      for (Id other : negated[task.facts[effect.fact].variable])
        if (task.facts[other].value != task.facts[effect.fact].value) added.add(other);
    }
    added.close();
  }
  return Lists<Id>::inverse(added, task.facts.size(), [](Id fact) { return fact; });
}

}  // namespace banditplan
