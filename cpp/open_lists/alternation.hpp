#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "open_lists/open_list.hpp"

namespace banditplan {

/// Open lists that take turns: every state waits in all of them, or, if it is not preferred, in all but those for
/// preferred states; the list that has had the fewest turns is next, the first one among equals.
class Alternation {
 public:
  void add(std::unique_ptr<OpenList> list, bool only_preferred) {
    order_.push_back(members_.size());
    members_.push_back({std::move(list), only_preferred, 0});
  }

  bool uses_g() const {
    for (const Member& member : members_)
      if (member.list->uses_g()) return true;
    return false;
  }

  void push(Id h, std::int64_t g, Id state, bool preferred) {
    for (Member& member : members_)
      if (preferred || !member.only_preferred) member.list->push(h, g, state);
  }

  /// The next state that has not been expanded from another list, or kNone. Those that have been take no turns.
  template <class IsClosed>
  Id pop(Random& random, IsClosed&& is_closed) {
    order();
    for (std::size_t index : order_) {
      Id state = members_[index].list->pop(random);
      while (state != OpenList::kNone && is_closed(state)) state = members_[index].list->pop(random);
      if (state == OpenList::kNone) continue;
      ++members_[index].turns;
      return state;
    }
    return OpenList::kNone;
  }

  /// Calls `visit` with states that will probably come next, until it returns false; from then on it must.
  void visit_next(const std::function<bool(Id)>& visit) {
    order();
    for (std::size_t index : order_) members_[index].list->visit_next(visit);
  }

  /// The lists for preferred states get this many turns before the others have one.
  void boost(std::int64_t turns) {
    for (Member& member : members_)
      if (member.only_preferred) member.turns -= turns;
  }

 private:
  struct Member {
    std::unique_ptr<OpenList> list;
    bool only_preferred = false;
    std::int64_t turns = 0;
  };

  void order() {
    std::ranges::sort(order_, {}, [&](std::size_t index) { return std::pair(members_[index].turns, index); });
  }

  std::vector<Member> members_;
  std::vector<std::size_t> order_;  // of the members' turns
};

}  // namespace banditplan
