#include "open_lists/epsilon_list.hpp"

#include "open_lists/lowest.hpp"

namespace banditplan {

namespace {

/// A state that comes in twice is two entries.
class EpsilonQueue : public Queue {
 public:
  EpsilonQueue(const SearchSpace& space, std::size_t column, double epsilon)
      : Queue(space), column_(column), epsilon_(epsilon) {}

  void tell(Coming& coming) const override {
    by_h_.visit_next([&](Value h, const Entries& entries) {
      for (std::size_t i = entries.next; i < entries.all.size(); ++i)
        if (places_[entries.all[i]] != kTaken && !coming.take(states_[places_[entries.all[i]]].state, column_, h))
          return false;
      return true;
    });
  }

 private:
  using Entry = std::uint32_t;
  static constexpr std::uint32_t kTaken = ~0u;

  struct Waiting {
    StateId state;
    Entry entry;
  };
  /// Of one h, the oldest first; those before `next` have been looked at.
  struct Entries {
    std::vector<Entry> all;
    std::size_t next = 0;
    bool empty() const { return next == all.size(); }
  };

  void insert(StateId state, std::span<const Value> row) override {
    const auto entry = static_cast<Entry>(places_.size());
    places_.push_back(static_cast<std::uint32_t>(states_.size()));
    states_.push_back({state, entry});
    by_h_.at(row[column_]).all.push_back(entry);
  }

  StateId take(Random& random, const SearchSpace&) override {
    if (states_.empty()) return kNoState;
    if (random.uniform() < epsilon_) return remove(random.below(static_cast<std::uint32_t>(states_.size())));
    while (true) {
      Entries& entries = *by_h_.first();
      const Entry entry = entries.all[entries.next++];
      if (places_[entry] != kTaken) return remove(places_[entry]);
    }
  }

  StateId remove(std::size_t place) {
    const Waiting taken = states_[place];
    places_[states_.back().entry] = static_cast<std::uint32_t>(place);
    places_[taken.entry] = kTaken;
    states_[place] = states_.back();
    states_.pop_back();
    return taken.state;
  }

  std::size_t column_;
  double epsilon_;
  std::vector<Waiting> states_;
  std::vector<std::uint32_t> places_;  // per entry: where it is in `states_`, or kTaken
  Lowest<Entries> by_h_;               // with entries that have been taken at random, too
};

}  // namespace

std::unique_ptr<Frontier> EpsilonList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<EpsilonQueue>(space, columns.of(*heuristic), epsilon);
}

}  // namespace banditplan
