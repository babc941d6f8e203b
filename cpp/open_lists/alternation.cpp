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
  void tell(Coming& coming) const override {
    for (const Member& member : members_) member.prospect = {.turns = member.turns};
    while (true) {
      const Member* next = nullptr;
      for (const Member& member : members_)
        if (!member.prospect.ended && (!next || member.prospect.turns < next->prospect.turns)) next = &member;
      if (!next) return;
      Prospect& prospect = next->prospect;
      if (prospect.visited == 0) {
        Coming of_member(space_, (coming.most() + 1) / 2, coming.column(), next->coming);
        next->list->tell(of_member);
        if (of_member.others_follow()) coming.let_others_follow();
      }
      prospect.ended = prospect.visited == next->coming.size();
      if (prospect.ended) continue;
      if (!coming.take(next->coming[prospect.visited])) return;
      ++prospect.visited;
      ++prospect.turns;
    }
  }

  TreeFrontier* tree() override {
    for (Member& member : members_)
      if (TreeFrontier* const found = member.list->tree()) return found;
    return nullptr;
  }

 private:
  /// How far a list has been looked at.
  struct Prospect {
    std::int64_t turns = 0;  // as they will be
    std::size_t visited = 0;
    bool ended = false;
  };
  struct Member {
    std::unique_ptr<Frontier> list;
    bool boosted = false;
    std::int64_t turns = 0;
    mutable std::vector<Awaited> coming{};  // scratch
    mutable Prospect prospect{};
  };

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

  std::int64_t boost_;
  const SearchSpace& space_;
  std::vector<Member> members_;
  mutable std::vector<std::size_t> order_;  // of the members' turns
};

}  // namespace

std::unique_ptr<Frontier> Alternation::bind(const Columns& columns, SearchSpace& space) const {
  auto result = std::make_unique<AlternationFrontier>(boost, space);
  for (const OpenListPointer& list : lists) result->add(list->bind(columns, space), !list->complete(false));
  return result;
}

}  // namespace banditplan
