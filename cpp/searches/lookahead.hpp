#pragma once

#include <unordered_map>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "searches/expander.hpp"

namespace banditplan {

/// Values of successors that were computed before their parents were expanded, to fill vector lanes that would have
/// been idle. A value depends on its state alone, so a search that uses them takes the same course as one without.
class Lookahead {
 public:
  static constexpr Id kUnknown = -1;

  bool has(Id state) const { return ahead_.contains(state); }

  /// The values of the state's successors in the order of their generation, or kUnknown; they are not kept.
  std::vector<Id> take(Id state) {
    const auto found = ahead_.find(state);
    if (found == ahead_.end()) return {};
    std::vector<Id> values = std::move(found->second);
    ahead_.erase(found);
    return values;
  }

  /// Appends new successors of the state to `batch`, at most until it has `most` states.
  void gather(Id state, const StateStore& states, Expander& expander, std::size_t most, std::vector<Id>& batch) {
    std::vector<Id>& values = ahead_[state];
    expander.expand(states, state, [&](Id, const std::vector<Id>& successor) {
      const bool wanted = batch.size() < most * successor.size() && states.find(successor.data()) < 0;
      values.push_back(kUnknown);
      if (!wanted) return batch.size() < most * successor.size();
      waiting_.push_back({state, values.size() - 1});
      batch.insert(batch.end(), successor.begin(), successor.end());
      return true;
    });
  }

  /// Takes the values of the gathered states, in their order.
  void enter(std::span<const Id> values) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) ahead_[waiting_[i].state][waiting_[i].successor] = values[i];
    made_ += static_cast<double>(waiting_.size());
    waiting_.clear();
    if (made_ > kMemory) {
      made_ /= 2;
      used_ /= 2;
    }
  }

  void count_use() { ++used_; }
  /// The share of values that came to be used, lately.
  double useful() const { return (used_ + kOptimism) / (made_ + kOptimism); }

 private:
  static constexpr double kMemory = 4096, kOptimism = 256;
  struct Place {
    Id state;
    std::size_t successor;
  };
  std::unordered_map<Id, std::vector<Id>> ahead_;
  std::vector<Place> waiting_;
  double made_ = 0, used_ = 0;
};

}  // namespace banditplan
