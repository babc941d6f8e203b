#pragma once

#include "searches/best_first.hpp"

namespace banditplan {

/// Searches one after the other, until one of them finds a plan or proves that there is none. In an anytime search,
/// each begins where the one before found a plan or had nothing left, below the cost of the best plan; the last one
/// goes on.
struct Series : Search {
  std::vector<SearchPointer> searches{std::make_shared<BestFirst>()};

  std::unique_ptr<Searching> begin(const SearchRequest& request, Wanted wanted) const override;
};

}  // namespace banditplan
