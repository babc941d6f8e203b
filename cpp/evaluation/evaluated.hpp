#pragma once

#include <algorithm>
#include <vector>

#include "lists.hpp"
#include "segments.hpp"
#include "states/places.hpp"

namespace banditplan {

/// What is kept of states that were evaluated.
class Evaluated {
 public:
  struct Options {
    bool deferred = false;   // states are not evaluated in the order in which they are found
    bool values = false;     // values are kept
    bool preferred = false;  // preferred actions are kept
  };

  /// The places must live as long as this.
  Evaluated(const Places& places, const Options& options, std::size_t columns)
      : places_(places), options_(options), values_(options.values ? columns : 0) {}

  /// If values are kept: whether there are any of the state yet.
  bool has(StateId state) const {
    const StoredId stored = places_.stored(state);
    return stored != kNotStored && values_[0][index(stored)] != kUnknown;
  }
  /// Likewise.
  Value value(std::size_t column, StateId state) const { return values_[column][at(state)]; }
  /// Fills a row with what is known of the state, if values are kept.
  void copy_row(StateId state, Value* row) const {
    for (std::size_t c = 0; c < values_.size(); ++c) row[c] = values_[c][at(state)];
  }
  /// Whether the state is known to be a dead end; only if values are kept.
  bool known_dead_end(StateId state) const {
    return std::ranges::any_of(values_, [&](const auto& column) { return column[at(state)] == kDeadEnd; });
  }
  bool keeps_preferred() const { return options_.preferred; }
  /// The actions that heuristics recommend there, ascending; none where they are not kept.
  std::span<const Id> preferred(StateId state) const {
    if (!options_.preferred) return {};
    return preferred_[options_.deferred ? static_cast<std::size_t>(evaluation_of_[at(state)]) : at(state)];
  }

  /// A new state, which is evaluated later.
  void defer() {
    for (Segments<Value>& column : values_) column.push_back(kUnknown);
    if (options_.preferred) evaluation_of_.push_back(-1);
  }
  /// A new state.
  void append(const Value* row) {
    for (std::size_t c = 0; c < values_.size(); ++c) values_[c].push_back(row[c]);
  }
  /// A state for which that was deferred.
  void enter(StateId state, const Value* row) {
    for (std::size_t c = 0; c < values_.size(); ++c) values_[c][at(state)] = row[c];
  }
  /// What is preferred in the state that is being evaluated.
  void prefer(StateId state, std::span<const Id> actions) {
    if (options_.deferred) evaluation_of_[at(state)] = static_cast<Id>(preferred_.size());
    preferred_.append(actions);
  }

 private:
  static constexpr Value kUnknown = -1;  // a value that has not been computed

  std::size_t at(StateId state) const { return index(places_.stored(state)); }

  const Places& places_;
  Options options_;
  std::vector<Segments<Value>> values_;  // per column and state
  Lists<Id> preferred_;                  // actions, in the order of evaluation
  Segments<Id> evaluation_of_;           // per state: the number of its evaluation, if that is deferred
};

}  // namespace banditplan
