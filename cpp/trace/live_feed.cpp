#include "trace/live_feed.hpp"

#include <utility>

#include "states/found_states.hpp"

namespace banditplan {

void LiveFeed::began(Frontier&, const FoundStates& found) {
  space_ = &found.space;
  const std::lock_guard lock(mutex_);
  put({});
}

void LiveFeed::expanded(const Expansion& expansion) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < expansion.children.size(); ++i)
    if (const Child& child = expansion.children[i]; child.is_new) {
      const Origin& origin = space_->origin(child.state);  // not the expanded state, where a relaxed plan was followed
      put({origin.parent, child.state, origin.action, expansion.row(i).front()});
    }
}

void LiveFeed::revalued(StateId state, std::span<const Value> row) {
  const std::lock_guard lock(mutex_);
  put({kNoState, state, kNoAction, row.front()});
}

std::unique_ptr<SearchObserver> LiveFeed::fork(std::size_t number) {
  struct Passes : SearchObserver {
    explicit Passes(LiveFeed& feed) : to(feed) {}
    void began(Frontier& open, const FoundStates& found) override { to.began(open, found); }
    void expanded(const Expansion& expansion) override { to.expanded(expansion); }
    void revalued(StateId state, std::span<const Value> row) override { to.revalued(state, row); }
    LiveFeed& to;
  };
  if (number > 0) return SearchObserver::fork(number);
  return std::make_unique<Passes>(*this);
}

void LiveFeed::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  arrived_.notify_all();
}

std::optional<std::vector<LiveFeed::Entry>> LiveFeed::take(std::chrono::duration<double> patience) {
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, patience, [this] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty() && closed_) return std::nullopt;
  return std::exchange(waiting_, {});
}

std::int64_t LiveFeed::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void LiveFeed::put(const Entry& entry) {
  if (waiting_.size() >= capacity_) {
    ++dropped_;
    return;
  }
  if (waiting_.empty()) arrived_.notify_one();
  waiting_.push_back(entry);
}

}  // namespace banditplan
