#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "searches/observer.hpp"

namespace banditplan {

/// What a search finds, while it runs, for another thread that takes it in batches. The search never waits: what does
/// not fit into the feed is dropped, and counted.
class LiveFeed : public SearchObserver {
 public:
  /// A state that is new, or one whose value is: then without a parent and an action. Of the initial state nobody is
  /// the parent either, but nobody has seen it before. A search that begins anew, with new numbers, says so: no state
  /// at all.
  struct Entry {
    StateId parent = kNoState;
    StateId state = kNoState;
    ActionId action = kNoAction;
    Value h = 0;  // of the first heuristic
  };

  explicit LiveFeed(std::size_t capacity) : capacity_(capacity) {}

  void began(Frontier& open, const FoundStates& found) override;
  void expanded(const Expansion& expansion) override;
  void revalued(StateId state, std::span<const Value> row) override;
  /// Of several searches side by side, the first one is told: what they find could not be told apart.
  std::unique_ptr<SearchObserver> fork(std::size_t number) override;

  /// Nothing more will come.
  void close();
  /// What has come since the last time; waits for it if there is nothing, but not longer than that. None: all was taken
  /// and nothing more will come.
  std::optional<std::vector<Entry>> take(std::chrono::duration<double> patience);
  std::int64_t dropped() const;

 private:
  void put(const Entry& entry);  // under the lock

  const SearchSpace* space_ = nullptr;  // for the search's thread
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Entry> waiting_;
  std::int64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace banditplan
