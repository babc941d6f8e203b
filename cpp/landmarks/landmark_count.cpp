#include "landmarks/landmark_count.hpp"

namespace banditplan {

LandmarkCount::LandmarkCount(const Task& task, LandmarkGraph graph, Monitor& monitor)
    : graph_(std::move(graph)),
      progression_(task, graph_, monitor),
      statuses_(2 * progression_.words()),
      past_(progression_.words()),
      future_(progression_.words()) {}

LandmarkStatus LandmarkCount::status(Id state) {
  LandmarkWord* row = statuses_.row(static_cast<std::size_t>(state));
  const std::size_t words = progression_.words();
  return {{row, words}, {row + words, words}};
}

Id LandmarkCount::value(LandmarkStatus status) const {
  return progression_.is_dead_end(status, changes_.lost) ? kDeadEnd : count(status.future);
}

Id LandmarkCount::start(Id state, const Id* values) {
  progression_.start(values, changes_, status(state));
  return value(status(state));
}

Id LandmarkCount::evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values) {
  const LandmarkStatus after = status(state);
  progression_.find_changes(action, parent_values, values, changes_);
  progression_.progress(status(parent), changes_, after);
  return value(after);
}

void LandmarkCount::reached_again(Id parent, Id action, Id state, const Id* values, const Id* parent_values) {
  progression_.find_changes(action, parent_values, values, changes_);
  progression_.progress(status(parent), changes_, {past_, future_});
  const LandmarkStatus known = status(state);
  for (std::size_t w = 0; w < progression_.words(); ++w) {
    known.past[w] &= past_[w];
    known.future[w] |= future_[w];
  }
}

}  // namespace banditplan
