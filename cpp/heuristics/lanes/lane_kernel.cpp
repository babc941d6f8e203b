#include "heuristics/lanes/lane_kernel.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <optional>

#include "heuristics/exploration.hpp"
#include "heuristics/lanes/schedule.hpp"

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

/// A list of lists as the plain arrays that a program reads.
struct Flat {
  std::vector<std::uint32_t> begin;
  std::vector<Id> items;

  template <class T, class Item>
  Flat(const Lists<T>& lists, Item item) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      begin.push_back(static_cast<std::uint32_t>(items.size()));
      for (const T& each : lists[i]) items.push_back(item(each));
    }
    begin.push_back(static_cast<std::uint32_t>(items.size()));
  }
};

class LaneKernel : public Evaluator {
 public:
  LaneKernel(const Task& task, const RelaxedNetwork& network, const RelaxationOptions& options,
             const LaneProgram& program, Evaluator& exact)
      : task_(task),
        options_(options),
        program_(program),
        exact_(exact),
        exploration_(task, network),
        network_(network),
        preconditions_(network.preconditions, [](Id fact) { return fact; }),
        adds_(network.adds, [](const RelaxedNetwork::Add& add) { return add.fact; }),
        achiever_operators_(network.achievers, [&](Id way) { return network.operator_of[way]; }),
        achiever_actions_(network.achievers, [&](Id way) { return network.action_of[way]; }),
        is_goal_(network.facts, 0),
        costs_(network.facts * kLanes),
        dirty_((network.operators() + 63) / 64),
        done_(network.facts),
        pending_(network.facts),
        first_layer_(network.facts),
        in_plan_(task.actions()),
        queue_(network.facts + 1),
        touched_(task.actions()),
        marked_(network.facts),
        length_(kLanes) {
    for (Id fact : task.goal) is_goal_[fact] = 1;
    for (std::size_t op = 0; op < network.operators(); ++op)
      most_preconditions_ = std::max(most_preconditions_, network.preconditions[op].size());
    if (options.preferred == PreferredType::helpful) adders_ = adders_by_fact(task);
    view_ = {static_cast<Id>(network.operators()),
             static_cast<Id>(network.facts),
             preconditions_.begin.data(),
             preconditions_.items.data(),
             adds_.begin.data(),
             adds_.items.data(),
             achiever_operators_.begin.data(),
             achiever_operators_.items.data(),
             achiever_actions_.items.data(),
             task.goal.data(),
             static_cast<Id>(task.goal.size()),
             is_goal_.data()};
    schedule_.emplace(view_);
    scratch_ = {costs_.get(), dirty_.data()};
    plan_ = {
        done_.data(),        pending_.data(), queue_.data(), in_plan_.data(), touched_.data(), 0, marked_.data(), 0,
        first_layer_.data(), length_.get()};
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    const std::size_t width = task_.variables.size();
    for (std::size_t first = 0; first < values.size(); first += kLanes) {
      const std::size_t count = std::min<std::size_t>(kLanes, values.size() - first);
      evaluate_lanes(states.subspan(first * width, count * width), values.subspan(first, count), preferred);
    }
  }

 private:
  void evaluate_lanes(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) {
    if (batches_++ % kBatchesPerSchedule == 0) refresh_schedule(states.data());
    enter_states(states, values.size());
    program_.sweep(view_, schedule_->view(), scratch_, options_.estimate != Estimate::max);
    const std::uint32_t used = values.size() == kLanes ? ~0u : (1u << values.size()) - 1;
    const std::uint32_t reached = used & lanes_with_goal();
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
    if (preferred) collect_preferred(reached, values.size(), *preferred);
    clear_plans();
  }

  /// Operators are best looked at in the order in which they fire in a similar state.
  void refresh_schedule(const Id* state) {
    order_.clear();
    exploration_.run(state, &order_);
    is_ordered_.assign(network_.operators(), false);
    for (Id op : order_) is_ordered_[op] = true;
    for (std::size_t op = 0; op < is_ordered_.size(); ++op)
      if (!is_ordered_[op]) order_.push_back(static_cast<Id>(op));
    schedule_->arrange(order_, [&](Id fact) { return exploration_.cost(fact); });
  }

  /// Lane i gets state i; lanes without a state repeat the first one, so that they need no work of their own.
  void enter_states(std::span<const Id> states, std::size_t count) {
    costs_.fill(kLaneUnreached);
    const std::size_t width = task_.variables.size();
    const Id* base = states.data();
    for_each_true_fact(task_, network_, base, [&](Id fact) { std::fill_n(lanes(fact), kLanes, std::uint16_t{0}); });
    for (std::size_t lane = 1; lane < count; ++lane) {
      const Id* state = base + lane * width;
      for (std::size_t v = 0; v < width; ++v) {
        if (state[v] == base[v]) continue;
        lanes(task_.variables[v].first_fact + base[v])[lane] = kLaneUnreached;
        lanes(task_.variables[v].first_fact + state[v])[lane] = 0;
        for (Id fact : network_.negated[v])
          lanes(fact)[lane] = task_.facts[fact].value != state[v] ? 0 : kLaneUnreached;
      }
    }
  }

  std::uint16_t* lanes(Id fact) { return costs_.get() + static_cast<std::size_t>(fact) * kLanes; }

  std::uint32_t lanes_with_goal() {
    std::uint32_t reached = ~0u;
    for (Id fact : task_.goal)
      for (int lane = 0; lane < kLanes; ++lane)
        if (lanes(fact)[lane] == kLaneUnreached) reached &= ~(1u << lane);
    return reached;
  }

  void read_plans(std::uint32_t reached, std::span<Id> values) {
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

  void collect_preferred(std::uint32_t reached, std::size_t count, Lists<Id>& preferred) {
    by_lane_.resize(std::max(by_lane_.size(), count));
    for (std::vector<Id>& list : by_lane_) list.clear();
    auto consider = [&](Id action, std::uint32_t candidates) {
      const auto precondition = task_.preconditions[action];
      std::uint32_t applicable =
          program_.all_true(scratch_, precondition.data(), static_cast<Id>(precondition.size()), candidates & reached);
      for (; applicable != 0; applicable &= applicable - 1) by_lane_[std::countr_zero(applicable)].push_back(action);
    };
    if (options_.preferred == PreferredType::relaxed_plan) {
      for (Id i = 0; i < plan_.touched_count; ++i) consider(touched_[i], in_plan_[touched_[i]]);
    } else {
      for (Id i = 0; i < plan_.marked_count; ++i)
        if (first_layer_[marked_[i]] != 0)
          for (Id action : adders_[marked_[i]]) consider(action, first_layer_[marked_[i]]);
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      std::vector<Id>& list = by_lane_[lane];
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      preferred.append(list);
    }
  }

  void clear_plans() {
    for (Id i = 0; i < plan_.touched_count; ++i) in_plan_[touched_[i]] = 0;
    for (Id i = 0; i < plan_.marked_count; ++i) done_[marked_[i]] = first_layer_[marked_[i]] = 0;
    plan_.touched_count = plan_.marked_count = 0;
  }

  /// Whether a sum may have reached 16 bits: a cost that looks like "unreached" may then be a large one.
  bool overflow_possible(std::uint32_t lanes) const {
    const std::size_t largest = program_.largest_cost(view_, scratch_, lanes);
    return largest * std::max<std::size_t>(most_preconditions_, 1) + 1 >= kLaneUnreached;
  }

  static constexpr std::uint64_t kBatchesPerSchedule = 32;

  const Task& task_;
  RelaxationOptions options_;
  const LaneProgram& program_;
  Evaluator& exact_;
  Exploration<Sum> exploration_;
  const RelaxedNetwork& network_;
  Flat preconditions_, adds_, achiever_operators_, achiever_actions_;
  std::vector<std::uint8_t> is_goal_;
  std::vector<Id> order_;
  std::vector<char> is_ordered_;
  Aligned<std::uint16_t> costs_;
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint32_t> done_, pending_, first_layer_, in_plan_;
  std::vector<Id> queue_, touched_, marked_;
  Aligned<std::uint16_t> length_;
  LaneNetwork view_;
  std::optional<Schedule> schedule_;
  LaneScratch scratch_;
  LanePlan plan_;
  Lists<Id> adders_;
  std::vector<std::vector<Id>> by_lane_;
  std::size_t most_preconditions_ = 0;
  std::uint64_t batches_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_lane_kernel(const Task& task, const RelaxedNetwork& network,
                                            const RelaxationOptions& options, const LaneProgram& program,
                                            Evaluator& exact) {
  return std::make_unique<LaneKernel>(task, network, options, program, exact);
}

}  // namespace banditplan
