#include "open_lists/alternation.hpp"

#include <utility>

namespace banditplan {

namespace {

class AlternationFrontier : public Frontier {
 public:
  AlternationFrontier(std::int64_t boost, const SearchSpace& space) : boost_(boost), space_(space) {}

  void add(std::unique_ptr<Frontier> list, bool boosted) {
    order_.push_back(members_.size());
    members_.push_back({std::move(list), boosted});
  }

  void push(const Expansion& expansion) override {
    for (Member& member : members_) member.list->push(expansion);
  }
  void revalue(StateId state, std::span<const Value> row) override {
    for (Member& member : members_) member.list->revalue(state, row);
  }
  void discard(StateId state) override {
    for (Member& member : members_) member.list->discard(state);
  }
  void discard_if(const std::function<bool(StateId)>& hopeless) override {
    for (Member& member : members_) member.list->discard_if(hopeless);
  }
  void reopen(StateId state, std::span<const Value> row) override {
    for (Member& member : members_) member.list->reopen(state, row);
  }
  void improved() override {
    for (Member& member : members_) {
      if (member.boosted) member.turns -= boost_;
      member.list->improved();
    }
  }

  /// As the turns will be, if nothing is improved and no new state comes first.
  void visit_next(std::size_t most, const std::function<bool(StateId)>& visit) const override {
    for (const Member& member : members_) find_coming(member, (most + 1) / 2);
    std::vector<std::int64_t> turns;
    std::vector<std::size_t> visited(members_.size(), 0);
    for (const Member& member : members_) turns.push_back(member.turns);
    while (true) {
      std::size_t next = members_.size();
      for (std::size_t i = 0; i < members_.size(); ++i)
        if (visited[i] < members_[i].coming.size() && (next == members_.size() || turns[i] < turns[next])) next = i;
      if (next == members_.size() || !visit(members_[next].coming[visited[next]])) return;
      ++visited[next];
      ++turns[next];
    }
  }

  TreeFrontier* tree() override {
    for (Member& member : members_)
      if (TreeFrontier* const found = member.list->tree()) return found;
    return nullptr;
  }

 private:
  struct Member {
    std::unique_ptr<Frontier> list;
    bool boosted = false;
    std::int64_t turns = 0;
    mutable std::vector<StateId> coming{};  // scratch
  };

  /// The states that come next in one of the lists, as far as it can tell.
  void find_coming(const Member& member, std::size_t most) const {
    member.coming.clear();
    std::size_t left = kClosedPerComing * most;
    member.list->visit_next(left, [&](StateId state) {
      if (!space_.closed(state)) member.coming.push_back(state);
      return member.coming.size() < most && --left > 0;
    });
  }

  /// A list that has nothing but closed states has had no turn.
  StateId take(Random& random, const SearchSpace& space) override {
    order();
    for (std::size_t index : order_) {
      const StateId state = members_[index].list->pop(random, space);
      if (state == kNoState) continue;
      ++members_[index].turns;
      return state;
    }
    return kNoState;
  }

  void order() const {
    std::ranges::sort(order_, {}, [&](std::size_t index) { return std::pair(members_[index].turns, index); });
  }

  static constexpr std::size_t kClosedPerComing = 8;  // states that are passed over: so many at the most

  std::int64_t boost_;
  const SearchSpace& space_;
  std::vector<Member> members_;
  mutable std::vector<std::size_t> order_;  // of the members' turns
};

}  // namespace

std::unique_ptr<Frontier> Alternation::bind(const Columns& columns, SearchSpace& space) const {
  auto result = std::make_unique<AlternationFrontier>(boost, space);
  for (const OpenListPointer& list : lists) result->add(list->bind(columns, space), !list->complete());
  return result;
}

}  // namespace banditplan
