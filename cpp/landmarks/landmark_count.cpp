#include "landmarks/landmark_count.hpp"

namespace banditplan {

LandmarkCount::LandmarkCount(const Task& task, LandmarkGraph graph)
    : graph_(std::move(graph)),
      progression_(task, graph_),
      statuses_(2 * progression_.words()),
      held_(progression_.words()),
      holds_(progression_.words()),
      lost_(progression_.words()),
      past_(progression_.words()),
      future_(progression_.words()) {}

LandmarkStatus LandmarkCount::status(Id state) {
  LandmarkWord* row = statuses_.row(static_cast<std::size_t>(state));
  const std::size_t words = progression_.words();
  return {{row, words}, {row + words, words}};
}

Id LandmarkCount::value(LandmarkStatus status, bool newly) {
  for (std::size_t w = 0; w < lost_.size(); ++w) lost_[w] = ~holds_[w] & (newly ? held_[w] : ~LandmarkWord{0});
  return progression_.is_dead_end(status, lost_) ? kDeadEnd : count(status.future);
}

Id LandmarkCount::start(Id state, const Id* values) {
  parent_ = -1;
  progression_.find_true(values, holds_);
  progression_.start(holds_, status(state));
  return value(status(state), false);
}

Id LandmarkCount::evaluate(Id parent, Id action, Id state, const Id* values, const Id* parent_values) {
  derive(parent, action, values, parent_values, status(state));
  return value(status(state), true);
}

std::optional<Id> LandmarkCount::reached_again(Id parent, Id action, Id state, const Id* values,
                                               const Id* parent_values) {
  derive(parent, action, values, parent_values, {past_, future_});
  const LandmarkStatus known = status(state);
  bool changed = false;
  for (std::size_t w = 0; w < progression_.words(); ++w) {
    changed = changed || (known.past[w] & ~past_[w]) != 0 || (future_[w] & ~known.future[w]) != 0;
    known.past[w] &= past_[w];
    known.future[w] |= future_[w];
  }
  if (!changed) return std::nullopt;
  return value(known, false);
}

void LandmarkCount::derive(Id parent, Id action, const Id* values, const Id* parent_values, LandmarkStatus after) {
  if (parent != parent_) {
    progression_.find_true(parent_values, held_);
    parent_ = parent;
  }
  progression_.find_true(held_, action, values, holds_);
  progression_.progress(status(parent), held_, holds_, after);
}

}  // namespace banditplan
