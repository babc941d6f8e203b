#include "check.hpp"
#include "evaluation/foresight.hpp"
#include "random_task.hpp"

using namespace banditplan;

namespace {

constexpr std::size_t kMany = 64;

/// A value for a state, out of few.
Value value_of(const FoundStates& found, const std::uint32_t* words) {
  return static_cast<Value>(found.packer.hashed(words).hash % 5);
}

/// A greedy search, of which the look-ahead is told every state that it expands beyond those that wait.
class Search {
 public:
  explicit Search(const Task& task)
      : task_(task), found_(task, monitor_, CostType::unit, false, false), ahead_(task, found_, 1, {4096, 1}) {
    const std::vector<std::uint32_t> initial = found_.packer.packed(task.initial_state.data());
    found_.store.insert(found_.packer.hashed(initial.data()));
    found_.space.add({}, 0);
    found_.expander.expand(initial.data(), found_.store, [&](const Expander::Successor& successor) {
      if (found_.store.insert(successor.packed).is_new) wait(successor);
      return true;
    });
    std::ranges::stable_sort(waiting_, {}, &Awaited::h);
  }

  bool ended() const { return open_.empty(); }

  /// What foresight says about the next expansion, if the values of those that wait are known.
  std::optional<Foresight::Place> foreseen(bool ordered, std::int64_t horizon) {
    std::vector<Awaited> told;
    Coming coming(found_.space, kMany, 0, told);
    for (const auto& [state, h] : waiting_) ordered ? coming.take(state, 0, h) : coming.take(state);
    coming.end_after(horizon);
    Foresight foresight(ahead_);
    foresight.begin(coming);
    return foresight.next();
  }

  /// Expands the oldest of the best states.
  Foresight::Place expand() {
    const auto best = std::ranges::min_element(open_, {}, [](const Open& each) { return each.h; });
    const Foresight::Place place = best->place;
    open_.erase(best);
    std::vector<Id> batch;
    if (const StateId* const state = std::get_if<StateId>(&place))
      ahead_.gather(*state, found_.words(*state), SIZE_MAX, batch);
    else
      ahead_.gather(std::get<StoredId>(place), SIZE_MAX, batch);
    std::vector<Value> rows;
    for (std::size_t i = 0; i < batch.size() / task_.variables.size(); ++i) {
      const StoredId successor{known_++};
      rows.push_back(value_of(found_, ahead_.words(successor)));
      open_.push_back({rows.back(), successor});
    }
    ahead_.enter(rows, nullptr, 0);
    return place;
  }

  const std::vector<Awaited>& waiting() const { return waiting_; }

 private:
  struct Open {
    Value h;
    Foresight::Place place;
  };

  void wait(const Expander::Successor& successor) {
    const StateId state{static_cast<Id>(found_.space.size())};
    found_.space.add({StateId{0}, successor.action}, 0);
    waiting_.push_back({state, value_of(found_, successor.packed.words)});
    open_.push_back({waiting_.back().h, state});
  }

  const Task& task_;
  Monitor monitor_;
  FoundStates found_;
  Lookahead ahead_;
  std::vector<Awaited> waiting_;
  std::vector<Open> open_;  // in the order of discovery
  Id known_ = 0;            // states of the look-ahead
};

}  // namespace

TEST(foresight_is_the_order_of_greedy_search) {
  ::Random random(23);
  int ahead = 0, waiting = 0;
  for (int round = 0; round < 200; ++round) {
    const Task task = random_task(random, false);
    Search search(task);
    for (std::int64_t expansions = 0; expansions < 40 && !search.ended(); ++expansions) {
      const std::optional<Foresight::Place> foreseen = search.foreseen(true, expansions + 1);
      CHECK(!search.foreseen(true, expansions));
      const Foresight::Place place = search.expand();
      CHECK(foreseen == place);
      ++(std::holds_alternative<StoredId>(place) ? ahead : waiting);
    }
  }
  CHECK(ahead > 100 && waiting > 100);
}

TEST(foresight_lets_states_of_unknown_order_go_first) {
  ::Random random(29);
  int rounds = 0, exhausted = 0;
  for (int round = 0; round < 100; ++round) {
    const Task task = random_task(random, false);
    Search search(task);
    if (search.waiting().size() < 2) continue;
    search.expand();
    if (search.ended()) continue;
    const std::optional<Foresight::Place> next = search.foreseen(false, kMany);
    CHECK(next == Foresight::Place(search.waiting()[1].state));
    ++rounds;
    std::size_t expanded = 1;  // of those that wait
    for (int more = 0; more < 20 && !search.ended(); ++more)
      expanded += std::holds_alternative<StateId>(search.expand()) ? 1 : 0;
    if (expanded < search.waiting().size() || search.ended()) continue;
    const std::optional<Foresight::Place> beyond = search.foreseen(false, 2 * kMany);
    CHECK(beyond && std::holds_alternative<StoredId>(*beyond));
    ++exhausted;
  }
  CHECK(rounds > 20 && exhausted > 5);
}
