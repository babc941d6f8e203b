#include "heuristics/relaxation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "heuristics/lanes/lane_kernel.hpp"
#include "heuristics/scalar_kernel.hpp"

namespace banditplan {

namespace {

/// Uses the kernel that has been faster lately; every now and then the other one gets a chance. The scalar kernel takes
/// its time for every state. The lanes take half of theirs however few of them are used: the fewer, the sooner they
/// agree.
class Relaxation : public Evaluator {
 public:
  Relaxation(const Task& task, const RelaxationOptions& options)
      : width_(task.variables.size()),
        network_(task, options.cost),
        scalar_(make_scalar_kernel(task, network_, options)) {
    const char* forced = std::getenv("BANDITPLAN_KERNEL");
    const bool only_scalar = forced && std::string(forced) == "scalar";
    const LaneProgram* program = find_lane_program(only_scalar ? nullptr : forced);
    if (!program)
      throw UnknownKernel("BANDITPLAN_KERNEL=" + std::string(forced) +
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
    const bool lanes = lanes_are_better(values.size());
    std::size_t tried = 0;
    ++calls_;
    if (!scalar_seconds_.known() || (lane_seconds_.known() && calls_ >= next_chance_)) {
      tried = std::min<std::size_t>(values.size(), lanes ? kTrial : kLanes);
      evaluate_by(!lanes, states.first(tried * width_), values.first(tried), preferred);
      if (lane_seconds_.known()) set_next_chance();
    }
    if (tried < values.size()) evaluate_by(lanes, states.subspan(tried * width_), values.subspan(tried), preferred);
  }

  std::size_t spare(std::size_t states, double useful) const override {
    const std::size_t idle = (kLanes - states % kLanes) % kLanes;
    if (!lanes_ || idle == 0) return 0;
    if (only_lanes_) return idle;
    if (!lane_seconds_.known() || !scalar_seconds_.known()) return 0;
    const auto count = static_cast<double>(states);
    const double without = std::min(scalar_seconds_.value * count, lane_seconds_.value * groups(states)) / count;
    const double with = lane_seconds_.value * groups(states + idle) / (count + useful * static_cast<double>(idle));
    return with < without ? idle : 0;
  }

 private:
  /// Of the last eight or so; the first ones, when caches are cold, do not count for long.
  struct Average {
    double value = 0;
    int count = 0;
    bool known() const { return count > 0; }
    void enter(double seconds) {
      count = std::min(count + 1, 8);
      value += (seconds - value) / count;
    }
  };

  /// What so many states take, if 32 of them take 1.
  static double groups(std::size_t states) {
    const auto full = static_cast<double>(states / kLanes), rest = static_cast<double>(states % kLanes);
    return full + (rest > 0 ? (1 + rest / kLanes) / 2 : 0);
  }

  bool lanes_are_better(std::size_t states) const {
    if (!lane_seconds_.known() || !scalar_seconds_.known()) return true;
    return lane_seconds_.value * groups(states) < scalar_seconds_.value * static_cast<double>(states);
  }

  void evaluate_by(bool lanes, std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    (lanes ? lanes_ : scalar_)->evaluate(states, values, preferred);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (lanes)
      lane_seconds_.enter(seconds / groups(values.size()));
    else
      scalar_seconds_.enter(seconds / static_cast<double>(values.size()));
  }

  /// The slower the other kernel is, the longer it waits for its next chance; at first not long, to get to know it.
  void set_next_chance() {
    const double ratio = lane_seconds_.value / (scalar_seconds_.value * kLanes);
    const double wait = kCallsPerChance * std::max(ratio, 1 / ratio);
    next_chance_ = calls_ + static_cast<std::uint64_t>(std::min(static_cast<double>(calls_), wait));
  }

  static constexpr double kCallsPerChance = 64;
  static constexpr std::size_t kTrial = 4;  // states

  std::size_t width_;  // of a state
  RelaxedNetwork network_;
  std::unique_ptr<Evaluator> scalar_, lanes_;
  bool only_lanes_ = false;
  Average scalar_seconds_, lane_seconds_;  // per state; per 32 states
  std::uint64_t calls_ = 0, next_chance_ = 0;
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
