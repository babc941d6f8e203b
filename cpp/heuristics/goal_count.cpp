#include "heuristics/goal_count.hpp"

#include <algorithm>

namespace banditplan {

namespace {

void recommend_nothing(std::size_t states, Lists<Id>* preferred) {
  for (std::size_t i = 0; preferred && i < states; ++i) preferred->close();
}

class GoalCounter : public Evaluator {
 public:
  explicit GoalCounter(const Task& task) : task_(task) {}

  void evaluate(std::span<const Id> states, std::span<Id> values, Lists<Id>* preferred) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Id* state = states.data() + i * task_.variables.size();
      values[i] =
          static_cast<Id>(std::ranges::count_if(task_.goal, [&](Id fact) { return !holds(task_, fact, state); }));
    }
    recommend_nothing(values.size(), preferred);
  }

 private:
  const Task& task_;
};

class Zero : public Evaluator {
 public:
  void evaluate(std::span<const Id>, std::span<Id> values, Lists<Id>* preferred) override {
    std::ranges::fill(values, 0);
    recommend_nothing(values.size(), preferred);
  }
};

}  // namespace

std::unique_ptr<Evaluator> GoalCount::bind(const Task& task, Monitor&) const {
  return std::make_unique<GoalCounter>(task);
}

std::unique_ptr<Evaluator> Blind::bind(const Task&, Monitor&) const { return std::make_unique<Zero>(); }

}  // namespace banditplan
