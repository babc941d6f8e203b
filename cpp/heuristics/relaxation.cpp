#include "heuristics/relaxation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "heuristics/average.hpp"
#include "heuristics/exploration.hpp"
#include "heuristics/lanes/lane_kernel.hpp"
#include "heuristics/scalar_kernel.hpp"

namespace banditplan {

namespace {

double seconds_since(Monitor::Clock::time_point begin) {
  return std::chrono::duration<double>(Monitor::Clock::now() - begin).count();
}

/// Uses the kernel that has been faster lately; every now and then the other one gets a chance. The scalar kernel takes
/// its time for every state. The lanes are prepared, and the network is put in order, when the scalar kernel has worked
/// as long as its own preparation took.
class Relaxation : public Evaluator {
 public:
  Relaxation(const Task& task, const RelaxationOptions& options, Monitor& monitor)
      : task_(task), options_(options), monitor_(monitor) {
    const auto begin = Monitor::Clock::now();
    const char* forced = std::getenv("BANDITPLAN_KERNEL");
    const bool only_scalar = forced && std::string(forced) == "scalar";
    program_ = find_lane_program(only_scalar ? nullptr : forced);
    if (!program_)
      throw UnknownKernel("BANDITPLAN_KERNEL=" + std::string(forced) +
                          ": this machine has no such kernel; there are scalar, plain, avx2, avx512");
    network_ = RelaxedNetwork::of(task, options.cost, monitor);
    scalar_ = make_scalar_kernel(task, *network_, options, monitor);
    preparation_ = seconds_since(begin);
    if (only_scalar || options.cost != CostType::unit || network_->operators() == 0) program_ = nullptr;
    only_lanes_ = program_ && forced;
    if (only_lanes_) prepare_for_more();
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    if (values.empty()) return;
    if (only_lanes_) {
      lanes_->evaluate(states, values, preferred);
      return;
    }
    if (!is_prepared_ && scalar_seconds_.known() && work_ >= preparation_) prepare_for_more();
    const bool fills = 2 * values.size() > kLanes, full_is_due = work_ >= next_full_;
    const bool lanes = lanes_ && (lanes_are_better(values.size()) || (fills && full_is_due));
    const double begin = work_;
    std::size_t tried = 0;
    if (lanes_ && lanes_->seconds(1) && work_ >= next_chance_) {
      tried = std::min<std::size_t>(values.size(), lanes ? kTrial : kLanes);
      const double before = work_;
      try_other(!lanes, states.first(tried * width()), values.first(tried), preferred);
      set_next_chance(work_ - before);
    }
    if (tried < values.size()) evaluate_by(lanes, states.subspan(tried * width()), values.subspan(tried), preferred);
    if (full_is_due || (fills && lanes)) next_full_ = work_ + kFullPatience * (work_ - begin);
  }

  std::size_t spare(std::size_t states, double useful) const override {
    const std::size_t idle = (kLanes - states % kLanes) % kLanes;
    if (!lanes_ || idle == 0) return 0;
    const std::optional<double> alone = lanes_->seconds(states);
    if (only_lanes_ || !alone) return idle;
    const auto count = static_cast<double>(states);
    const double without = std::min(scalar_seconds_.value * count, *alone) / count;
    const double with = *lanes_->seconds(states + idle) / (count + useful * static_cast<double>(idle));
    return with < without || work_ >= next_full_ ? idle : 0;
  }

  /// What is true follows at no cost, and no action costs nothing.
  bool reads_derived() const override { return options_.cost != CostType::unit; }

 private:
  bool lanes_are_better(std::size_t states) const {
    const std::optional<double> seconds = lanes_->seconds(states);
    return !seconds || *seconds < scalar_seconds_.value * static_cast<double>(states);
  }

  std::size_t width() const { return task_.variables.size(); }

  void prepare_for_more() {
    if (!network_->is_in_order) {
      network_ = RelaxedNetwork::in_order(task_, options_.cost, monitor_);
      scalar_ = make_scalar_kernel(task_, *network_, options_, monitor_);
    }
    if (program_) lanes_ = make_lane_kernel(task_, *network_, options_, *program_, *scalar_, monitor_);
    is_prepared_ = true;
  }

  void evaluate_by(bool lanes, std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    const double seconds = take_time(lanes, states, values, preferred);
    if (!lanes) scalar_seconds_.enter(seconds / static_cast<double>(values.size()));
  }

  /// What the scalar kernel takes for its first state is no measure: nothing that it needs is in the caches then.
  void try_other(bool lanes, std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    const std::size_t warming = lanes ? 0 : std::min(kWarming, values.size() - 1);
    if (warming > 0) take_time(lanes, states.first(warming * width()), values.first(warming), preferred);
    evaluate_by(lanes, states.subspan(warming * width()), values.subspan(warming), preferred);
  }

  double take_time(bool lanes, std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    const auto begin = Monitor::Clock::now();
    (lanes ? *lanes_ : *scalar_).evaluate(states, values, preferred);
    const double seconds = seconds_since(begin);
    work_ += seconds;
    return seconds;
  }

  /// The longer the other kernel took, the longer it waits for its next chance; at first not long, to get to know it.
  void set_next_chance(double seconds) {
    next_chance_ = work_ + seconds * patience_;
    patience_ = std::min(2 * patience_, kMostPatience);
  }

  static constexpr double kLeastPatience = 16, kMostPatience = 128;  // in times of what a chance takes
  static constexpr std::size_t kTrial = 2, kWarming = 1;             // states
  static constexpr double kFullPatience = 32;                        // in times of what full lanes took

  const Task& task_;
  const RelaxationOptions options_;
  Monitor& monitor_;
  const LaneProgram* program_ = nullptr;  // none: only the scalar kernel will do
  std::shared_ptr<const RelaxedNetwork> network_;
  std::unique_ptr<Evaluator> scalar_;
  std::unique_ptr<TimedEvaluator> lanes_;
  bool only_lanes_ = false, is_prepared_ = false;
  double preparation_ = 0, work_ = 0;  // seconds
  double next_chance_ = 0;             // of the other kernel, when so much work has been done
  double patience_ = kLeastPatience;
  double next_full_ = 0;    // lanes, when so much work has been done
  Average scalar_seconds_;  // per state
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

std::unique_ptr<Evaluator> make_relaxation(const Task& task, const RelaxationOptions& options, Monitor& monitor) {
  if (!task.solvable) return std::make_unique<Hopeless>();
  return std::make_unique<Relaxation>(task, options, monitor);
}

Lists<Id> adders_by_fact(const Task& task, Monitor& monitor) {
  const Lists<Id> negated = negated_facts(task);
  return Lists<Id>::group(task.facts.size(), [&](auto&& visit) {
    for (Id a = 0; a < static_cast<Id>(task.actions()); ++a) {
      monitor.check_short();
      for (const Effect& effect : task.effects[a]) {
        visit(effect.fact, a);
        for (Id other : negated[task.facts[effect.fact].variable])
          if (task.facts[other].value != task.facts[effect.fact].value) visit(other, a);
      }
    }
  });
}

std::int64_t relaxation_effort(const Task& task, Monitor& monitor) {
  struct Effort {
    std::int64_t value;
  };
  const auto explore = [&] {
    const std::shared_ptr<const RelaxedNetwork> network = RelaxedNetwork::in_order(task, CostType::unit, monitor);
    Exploration<Sum> exploration(task, *network);
    exploration.run(task.initial_state.data());
    std::size_t looks = 0;  // at operators
    for (std::size_t fact = 0; fact < network->facts; ++fact)
      if (exploration.cost(static_cast<Id>(fact)) != kUnreached) looks += network->readers[fact].size();
    constexpr std::int64_t kLeast = 6, kLooks = 1000, kVariables = 256;
    return Effort{kLeast + static_cast<std::int64_t>(looks) /
                               (kLooks * (1 + static_cast<std::int64_t>(task.variables.size()) / kVariables))};
  };
  return task.shared.get<Effort>(0, monitor, explore)->value;
}

}  // namespace banditplan
