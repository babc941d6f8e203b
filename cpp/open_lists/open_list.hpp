#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "heuristics/columns.hpp"
#include "random.hpp"
#include "states/coming.hpp"
#include "states/expansion.hpp"
#include "states/search_space.hpp"

namespace banditplan {

class TreeFrontier;

/// An open list at work in one search: the states that wait for their expansion, in some order.
///
/// It is told of every expansion, whoever named the state. A state may be in several lists; once it has been expanded
/// it is closed in the search space, and lists that still hold it pass it over.
class Frontier {
 public:
  virtual ~Frontier() = default;

  virtual void push(const Expansion& expansion) = 0;
  /// Takes out the state that comes next; kNoState: none is left.
  StateId pop(Random& random, const SearchSpace& space) {
    StateId state = take(random, space);
    while (state != kNoState && space.closed(state)) state = take(random, space);
    return state;
  }

  /// A state that was taken out turned out to have these values, which had been deferred.
  virtual void revalue(StateId /*state*/, std::span<const Value> /*row*/) {}
  /// A state that was taken out will not be expanded.
  virtual void discard(StateId /*state*/) {}
  /// States for which that holds will not be expanded; a list may as well wait until they are taken out.
  virtual void discard_if(const std::function<bool(StateId)>& /*hopeless*/) {}
  /// A state that was expanded waits for another expansion.
  virtual void reopen(StateId state, std::span<const Value> row) = 0;
  /// A heuristic found a state with a smaller value than ever before.
  virtual void improved() {}

  /// Tells which states will probably come next, the most probable one first, as long as they are wanted. A list that
  /// cannot tell says nothing.
  virtual void tell(Coming& /*coming*/) const {}
  /// The first tree in it that holds all states, for those who want to look at it; or none.
  virtual TreeFrontier* tree() { return nullptr; }

 private:
  /// As `pop`, but the state may be closed.
  virtual StateId take(Random& random, const SearchSpace& space) = 0;
};

/// A recipe for an open list: without a search, comparable, printable, thread-safe.
class OpenList {
 public:
  virtual ~OpenList() = default;

  /// The heuristics that it orders states by.
  virtual void add_to(Columns& columns) const = 0;
  /// The search space must live as long as the frontier.
  virtual std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const = 0;

  virtual bool uses_g() const { return false; }
  /// Whether it asks which children were reached by recommended actions.
  virtual bool uses_preferred() const { return false; }
  /// Whether every state that the search finds comes out in the end; `follows`: even if relaxed plans are followed, and
  /// paths may become cheaper.
  virtual bool complete(bool /*follows*/) const { return true; }
  /// Whether a state whose path gets shorter takes the states behind it along, so that it need not be expanded again.
  virtual bool moves_subtrees() const { return false; }
  /// Whether there is a tree in it, which grows by expansions and not state by state.
  virtual bool has_tree() const { return false; }
};
using OpenListPointer = std::shared_ptr<const OpenList>;

/// A frontier in which states wait one by one.
class Queue : public Frontier {
 public:
  explicit Queue(const SearchSpace& space) : space_(space) {}

  void push(const Expansion& expansion) final {
    if (expansion.alike) return insert_all(expansion.children, expansion.row(0));
    for (std::size_t i = 0; i < expansion.children.size(); ++i)
      if (const Child& child = expansion.children[i]; child.is_new || child.again)
        insert(child.state, expansion.row(i));
  }
  void reopen(StateId state, std::span<const Value> row) final { insert(state, row); }

 protected:
  std::int64_t g(StateId state) const { return space_.g(state); }

 private:
  virtual void insert(StateId state, std::span<const Value> row) = 0;
  /// The states of all these children have the same values.
  virtual void insert_all(std::span<const Child> children, std::span<const Value> row) {
    for (const Child& child : children) insert(child.state, row);
  }

  const SearchSpace& space_;
};

}  // namespace banditplan
