#include "heuristics/lanes/lane_kernel.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <optional>

#include "heuristics/exploration.hpp"
#include "heuristics/lanes/lane_seconds.hpp"
#include "heuristics/lanes/lane_tables.hpp"
#include "heuristics/lanes/relevance.hpp"
#include "heuristics/lanes/schedule.hpp"
#include "heuristics/lanes/tied_plans.hpp"
#include "id_sorter.hpp"

namespace banditplan {

namespace {

/// An array that vector loads may read: aligned to its widest vector.
template <class T>
class Aligned {
 public:
  explicit Aligned(std::size_t size) : data_(new (std::align_val_t{64}) T[size]()), size_(size) {}
  T* get() { return data_.get(); }
  void fill(T value) { std::fill_n(get(), size_, value); }

 private:
  struct Delete {
    void operator()(T* data) const { ::operator delete[](data, std::align_val_t{64}); }
  };
  std::unique_ptr<T, Delete> data_;
  std::size_t size_;
};

class LaneKernel : public TimedEvaluator {
 public:
  LaneKernel(const Task& task, const RelaxedNetwork& network, const RelaxationOptions& options,
             const LaneProgram& program, Evaluator& exact, Monitor& monitor)
      : task_(task),
        options_(options),
        program_(program),
        exact_(exact),
        monitor_(monitor),
        exploration_(task, network),
        network_(network),
        tables_(LaneTables::of(task, network, monitor)),
        costs_((network.facts + 1) * kLanes),
        dirty_((network.operators() + 63) / 64),
        done_(network.facts),
        pending_(network.facts),
        first_layer_(network.facts),
        in_plan_(task.actions()),
        queue_(network.facts + 1),
        touched_(task.actions()),
        marked_(network.facts),
        length_(kLanes),
        view_(tables_->view(task, network)),
        // Axioms cost nothing, and what is free may be false: it would not be known whether a fact is true.
        relevance_(view_, task.axioms() > 0),
        schedule_(view_) {
    if (tells_first_layer()) adders_ = adders_by_fact(task, monitor);
    recommended_in_.resize(task.actions());
    recommended_.reserve(task.actions());
    changed_.resize(task.variables.size());
    if (task.axioms() > 0 && options.estimate == Estimate::relaxed_plan) tied_plans_.emplace(view_, program);
    if (tied_plans_ && tells_first_layer()) truth_.resize(network.facts);
    scratch_ = {.costs = costs_.get(), .dirty = dirty_.data()};
    plan_ = {.done = done_.data(),
             .pending = pending_.data(),
             .queue = queue_.data(),
             .in_plan = in_plan_.data(),
             .touched = touched_.data(),
             .marked = marked_.data(),
             .first_layer = first_layer_.data(),
             .length = length_.get()};
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    const std::size_t width = task_.variables.size();
    Seconds taken{};
    for (std::size_t first = 0; first < values.size(); first += kLanes) {
      monitor_.check();
      const std::size_t count = std::min<std::size_t>(kLanes, values.size() - first);
      taken += evaluate_lanes(states.subspan(first * width, count * width), values.subspan(first, count), preferred);
    }
    seconds_.enter(values.size(), schedule_.operators(), taken.count());
  }

  std::optional<double> seconds(std::size_t states) const override {
    return seconds_.settled() ? std::optional(seconds_.of(states, schedule_.operators())) : std::nullopt;
  }

 private:
  using Seconds = std::chrono::duration<double>;

  /// What it took; without what came before a new schedule, if one was arranged.
  Seconds evaluate_lanes(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    auto begin = Monitor::Clock::now();
    enter_states(states, values.size());
    if (refresh_schedule(states.data())) begin = Monitor::Clock::now();
    read_lanes(states, values, preferred);
    return Monitor::Clock::now() - begin;
  }

  /// What the states that were entered are worth.
  void read_lanes(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    sweep();
    const std::uint32_t used = values.size() == kLanes ? ~0u : (1u << values.size()) - 1;
    const std::uint32_t reached = used & program_.with_goal(view_, scratch_);
    if (reached != used && overflow_possible(used & ~reached)) {
      exact_.evaluate(states, values, preferred);
      return;
    }
    if (options_.estimate == Estimate::relaxed_plan)
      read_plans(reached, values);
    else
      read_goal_costs(reached, values);
    if (plan_.touched_count > kLaneUnreached) {  // a length may exceed 16 bits
      clear_plans();
      exact_.evaluate(states, values, preferred);
      return;
    }
    if (preferred) collect_preferred(reached, states, values.size(), *preferred);
    clear_plans();
  }

  /// Passes in one direction are best where the order fits; there and back where it does not, such as along a road that
  /// is left at another place. What changes fewer costs is used; the other one gets a chance every now and then, less
  /// often if it is none.
  void sweep() {
    const bool is_trial = batches_ == next_trial_, alternating = alternates_ != is_trial;
    const auto changes = static_cast<double>(sweep(alternating, stops_at_single_goals_));
    double& average = changes_[alternating ? 1 : 0];
    average += (changes - average) * (average > 0 ? kWeight : 1);
    if (!is_trial) return;
    const bool better = changes_[1] < kClear * changes_[0];
    patience_ = better == alternates_ ? std::min(2 * patience_, kMostPatience) : kLeastPatience;
    next_trial_ = batches_ + patience_;
    alternates_ = better;
  }

  std::int64_t sweep(bool alternating, bool stops_at_single_goals) {
    LaneSchedule schedule = schedule_.view();
    schedule.has_single_goals = schedule.has_single_goals && stops_at_single_goals;
    return program_.sweep(view_, schedule, scratch_, options_.estimate != Estimate::max, alternating);
  }

  bool tells_first_layer() const { return options_.preferred == PreferredType::helpful; }

  /// Every now and then, and when it lacks what leads to a goal. Whether that was so.
  bool refresh_schedule(const Id* state) {
    const bool covers =
        relevance_.covers([&](Id goal) { return program_.all_true(scratch_, &goal, 1, kAllLanes) != kAllLanes; });
    const bool is_due = batches_++ % kBatchesPerSchedule == 0 || !is_arranged_;
    if (!is_due && covers) return false;
    is_arranged_ = false;  // if memory runs out on the way
    is_due ? relevance_.renew() : relevance_.extend();
    arrange_schedule(state);
    is_arranged_ = true;
    if (is_due && relevance_.has_single_goals() && --next_comparison_ < 0) compare_stops();
    return true;
  }

  /// To ask at every operator what its goal costs takes time. Whether it pays is tried on the states that were entered,
  /// less and less often.
  void compare_stops() {
    const std::vector<std::uint16_t> entered(costs_.get(), costs_.get() + network_.facts * kLanes);
    const auto stopping = static_cast<double>(sweep(false, true));
    std::ranges::copy(entered, costs_.get());
    stops_at_single_goals_ = stopping < kFewEnough * static_cast<double>(sweep(false, false));
    std::ranges::copy(entered, costs_.get());
    next_comparison_ = comparisons_++;
  }

  /// Operators are best looked at in the order in which they fire in a similar state.
  void arrange_schedule(const Id* state) {
    without_derived_.assign(state, state + task_.variables.size());
    for (std::size_t v = 0; v < without_derived_.size(); ++v)
      if (task_.variables[v].derived()) without_derived_[v] = 1;
    order_.clear();
    exploration_.run(without_derived_.data(), &order_);
    is_ordered_.assign(network_.operators(), false);
    for (Id op : order_) is_ordered_[op] = true;
    for (std::size_t op = 0; op < is_ordered_.size(); ++op)
      if (!is_ordered_[op]) order_.push_back(static_cast<Id>(op));
    schedule_.arrange(order_, relevance_, [&](Id fact) { return exploration_.cost(fact); });
  }

  /// Lane i gets state i; lanes without a state repeat the first one, so that they need no work of their own. What is
  /// derived costs nothing anyway, since axioms do.
  void enter_states(std::span<const Id> states, std::size_t count) {
    costs_.fill(kLaneUnreached);
    const std::size_t width = task_.variables.size();
    const Id* const base = states.data();
    auto enter_base = [&](Id fact) { std::fill_n(lanes(fact), kLanes, std::uint16_t{0}); };
    for (std::size_t v = 0; v < width; ++v)
      if (!task_.variables[v].derived()) for_each_true_fact_of(task_, network_, v, base[v], enter_base);
    for (Id fact : network_.granted) enter_base(fact);
    for (std::size_t lane = 1; lane < count; ++lane) enter_changes(base, base + lane * width, lane);
    if (!truth_.empty()) enter_truth(states, count);
  }

  void enter_changes(const Id* before, const Id* after, std::size_t lane) {
    const auto changed = static_cast<std::size_t>(
        program_.differences(before, after, static_cast<Id>(task_.variables.size()), changed_.data()));
    for (Id v : std::span(changed_).first(changed)) {
      if (task_.variables[v].derived()) continue;
      for_each_true_fact_of(task_, network_, v, before[v], [&](Id fact) { lanes(fact)[lane] = kLaneUnreached; });
      for_each_true_fact_of(task_, network_, v, after[v], [&](Id fact) { lanes(fact)[lane] = 0; });
    }
  }

  /// Of derived facts.
  void enter_truth(std::span<const Id> states, std::size_t count) {
    const std::size_t width = task_.variables.size();
    for (std::size_t v = 0; v < width; ++v) {
      if (!task_.variables[v].derived()) continue;
      std::uint32_t& truth = truth_[task_.variables[v].first_fact] = 0;
      for (std::size_t lane = 0; lane < count; ++lane)
        truth |= static_cast<std::uint32_t>(states[lane * width + v] == 0) << lane;
    }
  }

  std::uint16_t* lanes(Id fact) { return costs_.get() + static_cast<std::size_t>(fact) * kLanes; }

  void read_plans(std::uint32_t reached, std::span<Id> values) {
    if (tied_plans_)
      tied_plans_->extract(scratch_, reached, truth_.empty() ? nullptr : truth_.data(), plan_);
    else
      program_.extract(view_, scratch_, reached, plan_);
    for (std::size_t lane = 0; lane < values.size(); ++lane)
      values[lane] = (reached >> lane & 1u) != 0 ? length_.get()[lane] : kDeadEnd;
  }

  void read_goal_costs(std::uint32_t reached, std::span<Id> values) {
    for (std::size_t lane = 0; lane < values.size(); ++lane) {
      values[lane] = (reached >> lane & 1u) != 0 ? 0 : kDeadEnd;
      if (values[lane] == kDeadEnd) continue;
      for (Id fact : task_.goal) {
        const Id cost = lanes(fact)[lane];
        values[lane] =
            options_.estimate == Estimate::max ? Max::combine(values[lane], cost) : Sum::combine(values[lane], cost);
      }
    }
  }

  /// Of the candidates, the lanes in which the action is applicable. What costs nothing may be false where there are
  /// axioms.
  std::uint32_t applicable_lanes(Id action, std::uint32_t candidates, std::span<const Id> states) {
    const auto precondition = task_.preconditions[action];
    std::uint32_t applicable =
        program_.all_true(scratch_, precondition.data(), static_cast<Id>(precondition.size()), candidates);
    for (std::uint32_t rest = task_.axioms() > 0 ? applicable : 0; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (!holds(task_, precondition, states.data() + static_cast<std::size_t>(lane) * task_.variables.size()))
        applicable &= ~(1u << lane);
    }
    return applicable;
  }

  void collect_preferred(std::uint32_t reached, std::span<const Id> states, std::size_t count, Lists<Id>& preferred) {
    for (Id action : recommended_) recommended_in_[action] = 0;
    recommended_.clear();
    auto consider = [&](Id action, std::uint32_t candidates) {
      std::uint32_t& known = recommended_in_[action];
      const std::uint32_t applicable = applicable_lanes(action, candidates & reached & ~known, states);
      if (known == 0 && applicable != 0) recommended_.push_back(action);
      known |= applicable;
    };
    if (options_.preferred == PreferredType::relaxed_plan) {
      for (Id i = 0; i < plan_.touched_count; ++i) consider(touched_[i], in_plan_[touched_[i]]);
    } else {
      for (Id i = 0; i < plan_.marked_count; ++i)
        if (first_layer_[marked_[i]] != 0)
          for (Id action : adders_[marked_[i]]) consider(action, first_layer_[marked_[i]]);
    }
    sorter_.sort(recommended_);
    by_lane_.resize(std::max(by_lane_.size(), count));
    for (std::vector<Id>& list : by_lane_) list.clear();
    for (Id action : recommended_)
      for (std::uint32_t rest = recommended_in_[action]; rest != 0; rest &= rest - 1)
        by_lane_[std::countr_zero(rest)].push_back(action);
    for (std::size_t lane = 0; lane < count; ++lane) preferred.append(by_lane_[lane]);
  }

  void clear_plans() {
    for (Id i = 0; i < plan_.touched_count; ++i) in_plan_[touched_[i]] = 0;
    for (Id i = 0; i < plan_.marked_count; ++i) done_[marked_[i]] = first_layer_[marked_[i]] = 0;
    plan_.touched_count = plan_.marked_count = 0;
  }

  /// Whether a sum may have reached 16 bits: a cost that looks like "unreached" may then be a large one.
  bool overflow_possible(std::uint32_t lanes) const {
    const std::size_t limit = (kLaneUnreached - 2) / std::max<std::size_t>(tables_->most_preconditions, 1);
    return program_.any_above(view_, scratch_, lanes, static_cast<std::uint16_t>(limit));
  }

  static constexpr std::uint32_t kAllLanes = ~0u;
  static constexpr std::uint64_t kBatchesPerSchedule = 32;
  static constexpr std::uint64_t kLeastPatience = 8, kMostPatience = 256;  // batches from one trial to the next
  static constexpr double kWeight = 0.25;                                  // of the last sweep among those before
  static constexpr double kClear = 0.9, kFewEnough = 0.8;                  // of the changes

  const Task& task_;
  RelaxationOptions options_;
  const LaneProgram& program_;
  Evaluator& exact_;
  Monitor& monitor_;
  Exploration<Sum> exploration_;
  const RelaxedNetwork& network_;
  std::shared_ptr<const LaneTables> tables_;
  std::vector<Id> order_;
  std::vector<char> is_ordered_;
  std::vector<Id> changed_;          // variables by which a state differs from the first one
  std::vector<Id> without_derived_;  // a state in which nothing has been derived
  Aligned<std::uint16_t> costs_;
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint32_t> done_, pending_, first_layer_, in_plan_;
  std::vector<Id> queue_, touched_, marked_;
  Aligned<std::uint16_t> length_;
  LaneNetwork view_;
  Relevance relevance_;
  Schedule schedule_;
  bool is_arranged_ = false;
  LaneSeconds seconds_;
  std::optional<TiedPlans> tied_plans_;  // if there are axioms, and plans are asked for
  std::vector<std::uint32_t> truth_;     // per fact: see there; empty: it does not matter
  LaneScratch scratch_;
  LanePlan plan_;
  Lists<Id> adders_;
  std::vector<Id> recommended_;                // actions
  std::vector<std::uint32_t> recommended_in_;  // per action: lanes, if it is one of them
  IdSorter sorter_;
  std::vector<std::vector<Id>> by_lane_;
  std::uint64_t batches_ = 0;
  std::uint64_t next_trial_ = kLeastPatience, patience_ = kLeastPatience;
  bool alternates_ = false;  // whether passes go there and back
  bool stops_at_single_goals_ = true;
  int comparisons_ = 0, next_comparison_ = 0;  // the next: after so many schedules
  double changes_[2] = {0, 0};                 // per sweep, on average: in one direction, and so
};

}  // namespace

std::unique_ptr<TimedEvaluator> make_lane_kernel(const Task& task, const RelaxedNetwork& network,
                                                 const RelaxationOptions& options, const LaneProgram& program,
                                                 Evaluator& exact, Monitor& monitor) {
  return std::make_unique<LaneKernel>(task, network, options, program, exact, monitor);
}

}  // namespace banditplan
