#include "heuristics/scalar_kernel.hpp"

#include "heuristics/exploration.hpp"

namespace banditplan {

namespace {

template <class Combine>
class ScalarKernel : public Evaluator {
 public:
  ScalarKernel(const Task& task, const RelaxedNetwork& network, const RelaxationOptions& options, Monitor& monitor)
      : task_(task),
        network_(network),
        options_(options),
        monitor_(monitor),
        exploration_(task, network),
        plan_(task, network) {
    if (options.preferred == PreferredType::helpful) adders_ = adders_by_fact(task, monitor);
  }

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      monitor_.check();
      const Id* state = states.data() + i * task_.variables.size();
      exploration_.run(state);
      values[i] = exploration_.goal_reached() ? estimate() : kDeadEnd;
      if (preferred) preferred->append(values[i] == kDeadEnd ? std::span<const Id>() : recommended(state));
    }
  }

 private:
  Id estimate() {
    Id h = 0;
    if (options_.estimate == Estimate::relaxed_plan) {
      plan_.extract([&](Id fact) { return exploration_.supporter(fact); });
      for (Id action : plan_.actions()) h = Sum::combine(h, network_.action_costs[action]);
    } else {
      for (Id fact : task_.goal) h = Combine::combine(h, exploration_.cost(fact));
    }
    return h;
  }

  std::span<const Id> recommended(const Id* state) {
    preferred_.clear();
    if (options_.estimate != Estimate::relaxed_plan) return preferred_;
    auto consider = [&](Id action) {
      if (holds(task_, task_.preconditions[action], state)) preferred_.push_back(action);
    };
    if (options_.preferred == PreferredType::relaxed_plan) {
      std::ranges::for_each(plan_.actions(), consider);
    } else {
      for (Id fact : plan_.facts()) {
        const auto needs = network_.preconditions[network_.operator_of[exploration_.supporter(fact)]];
        if (std::ranges::all_of(needs, [&](Id need) { return exploration_.supporter(need) < 0; }))
          std::ranges::for_each(adders_[fact], consider);
      }
    }
    std::ranges::sort(preferred_);
    preferred_.erase(std::unique(preferred_.begin(), preferred_.end()), preferred_.end());
    return preferred_;
  }

  const Task& task_;
  const RelaxedNetwork& network_;
  RelaxationOptions options_;
  Monitor& monitor_;
  Exploration<Combine> exploration_;
  RelaxedPlan plan_;
  Lists<Id> adders_;
  std::vector<Id> preferred_;
};

}  // namespace

std::unique_ptr<Evaluator> make_scalar_kernel(const Task& task, const RelaxedNetwork& network,
                                              const RelaxationOptions& options, Monitor& monitor) {
  if (options.estimate == Estimate::max) return std::make_unique<ScalarKernel<Max>>(task, network, options, monitor);
  return std::make_unique<ScalarKernel<Sum>>(task, network, options, monitor);
}

}  // namespace banditplan
