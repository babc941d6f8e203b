#pragma once

#include <cstdint>
#include <functional>

#include "lists.hpp"
#include "random.hpp"

namespace banditplan {

/// States that wait for their expansion, in some order. Costs are minimised.
class OpenList {
 public:
  static constexpr Id kNone = -1;

  virtual ~OpenList() = default;

  /// `g` is the cost of the path to the state, 0 if the list does not use it. A state may come in again, with a
  /// smaller g.
  virtual void push(Id h, std::int64_t g, Id state) = 0;
  /// Removes the state that comes next, or returns kNone.
  virtual Id pop(Random& random) = 0;
  /// Calls `visit` with states that will probably come next, the most probable one first, until it returns false. A
  /// list that cannot tell calls nothing.
  virtual void visit_next(const std::function<bool(Id)>& /*visit*/) const {}

  virtual bool uses_g() const { return false; }
};

}  // namespace banditplan
