#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "ids.hpp"

namespace banditplan {

/// Groups by a value that is mostly below `kFew`; the one with the lowest value comes first. A group says whether it is
/// `empty()`.
template <class Group, Value kFew = 1 << 16>
class Lowest {
 public:
  /// The group of a value, for something to be put in.
  Group& at(Value value) {
    if (value >= kFew) return beyond_[value];
    const auto place = static_cast<std::size_t>(value);
    if (groups_.size() <= place) groups_.resize(place + 1);
    lowest_ = std::min(lowest_, place);
    return groups_[place];
  }

  bool empty() { return first() == nullptr; }

  /// The group with the lowest value, or none. Groups that became empty go.
  Group* first() {
    for (; lowest_ < groups_.size(); ++lowest_) {
      if (!groups_[lowest_].empty()) return &groups_[lowest_];
      groups_[lowest_] = {};
    }
    while (!beyond_.empty() && beyond_.begin()->second.empty()) beyond_.erase(beyond_.begin());
    return beyond_.empty() ? nullptr : &beyond_.begin()->second;
  }

  /// Calls `visit(value, group)` from the lowest value on, until it returns false; whether it never did.
  template <class Visit>
  bool visit_next(Visit&& visit) const {
    for (std::size_t place = lowest_; place < groups_.size(); ++place)
      if (!visit(static_cast<Value>(place), groups_[place])) return false;
    for (const auto& [value, group] : beyond_)
      if (!visit(value, group)) return false;
    return true;
  }

 private:
  std::vector<Group> groups_;
  std::map<Value, Group> beyond_;
  std::size_t lowest_ = 0;
};

}  // namespace banditplan
