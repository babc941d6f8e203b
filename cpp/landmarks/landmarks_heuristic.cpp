#include "landmarks/landmarks_heuristic.hpp"

#include "landmarks/landmark_count.hpp"

namespace banditplan {

namespace {

class LandmarksEvaluator : public PathEvaluator {
 public:
  LandmarksEvaluator(const Task& task, LandmarkGraph graph, Monitor& monitor)
      : count_(task, std::move(graph), monitor) {}

  Value evaluate(const Arrival& arrival) override {
    const auto state = static_cast<Id>(arrival.state);
    if (arrival.parent == kNotStored) return count_.start(state, arrival.values);
    return count_.evaluate(static_cast<Id>(arrival.parent), static_cast<Id>(arrival.action), state, arrival.values,
                           arrival.parent_values);
  }

  void reached_again(const Arrival& arrival) override {
    count_.reached_again(static_cast<Id>(arrival.parent), static_cast<Id>(arrival.action),
                         static_cast<Id>(arrival.state), arrival.values, arrival.parent_values);
  }

 private:
  LandmarkCount count_;
};

}  // namespace

Heuristic::Bound LandmarksHeuristic::bind(const Task& task, Monitor& monitor) const {
  const auto find = [&] { return find_landmarks(task, complete, monitor); };
  return std::make_unique<LandmarksEvaluator>(task, *task.shared.get<LandmarkGraph>(complete, monitor, find), monitor);
}

}  // namespace banditplan
