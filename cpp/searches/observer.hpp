#pragma once

#include <memory>

#include "open_lists/open_list.hpp"
#include "searches/search.hpp"

namespace banditplan {

struct FoundStates;

/// Looks at a search while it runs. States are named by their places in the search space.
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;

  /// What is referred to lives until `ended`, or until the search is given up in favour of others: nobody calls then.
  virtual void began(Frontier& /*open*/, const FoundStates& /*found*/) {}
  /// A state turned out to have these values, which had been deferred.
  virtual void revalued(StateId /*state*/, std::span<const Value> /*row*/) {}
  /// The state is about to be expanded.
  virtual void expands(StateId /*state*/) {}
  /// The open list was told of the children.
  virtual void expanded(const Expansion& /*expansion*/) {}
  /// A round has ended: the state was expanded, or turned out to be a dead end. In a lazy search there is no round
  /// where one turns out to have been expanded elsewhere.
  virtual void visited(StateId /*state*/, const SearchResult& /*result*/) {}
  /// The search ended, other than by an error.
  virtual void ended(const SearchResult& /*result*/) {}

  /// An observer for the search with that number, of several that run side by side; in the end, the one of the search
  /// that decided is taken over. By default, nobody looks at them.
  virtual std::unique_ptr<SearchObserver> fork(std::size_t /*number*/) { return std::make_unique<SearchObserver>(); }
  virtual void take_over(SearchObserver& /*other*/) {}
};

}  // namespace banditplan
