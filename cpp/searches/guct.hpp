#pragma once

#include <memory>

#include "backups/monte_carlo.hpp"
#include "bandits/ucb1.hpp"
#include "heuristics/ff.hpp"
#include "searches/search.hpp"
#include "open_lists/tree.hpp"

namespace banditplan {

/// What happens when an expansion reaches a known state by a path that is not longer (or shorter, or whatever).
enum class Graft { paper, strict, never };

/// Looks at the tree while it grows.
class TreeObserver {
 public:
  virtual ~TreeObserver() = default;
  /// A child was chosen among several, whose scores are there.
  virtual void chosen(const Tree& tree, Id parent, const Arms& arms, std::size_t index) = 0;
  /// A leaf was expanded, or found to be a dead end, and the data are up to date.
  virtual void visited(const Tree& tree, Id leaf, const SearchResult& result) = 0;
  /// The search ended, other than by an error.
  virtual void ended(const Tree& tree, const SearchResult& result) = 0;
};

/// Forward search with a tree as its open list (Wissow and Asai 2024, Algorithm 1; Schulte and Keller 2014): from the
/// root, a bandit chooses a child at every node; the leaf that is reached is expanded; the values of its children are
/// carried back to the root.
struct Guct : Search {
  std::shared_ptr<const Heuristic> heuristic = std::make_shared<Ff>();
  std::shared_ptr<const Bandit> bandit = std::make_shared<Ucb1>();
  std::shared_ptr<const Backup> backup = std::make_shared<MonteCarlo>();
  bool preferred = false;  // select among children reached by preferred operators, where there are any
  bool deferred = false;   // evaluate a state when it is expanded; until then it has its parent's h
  Graft graft = Graft::paper;

  SearchResult observe(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                       TreeObserver& observer) const;

 protected:
  void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
           SearchResult& result) const override;
};

/// A tree search that goes on after a plan, for cheaper ones (docs/anytime.md). Recipe, task and monitor must outlive
/// it.
class Anytime {
 public:
  Anytime(const Guct& guct, const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor);
  ~Anytime();

  /// A plan that costs less than all plans before and than `below`. Status `unsolvable`: there is none, that is proved.
  /// Counters and limits are those of the whole search; once it has ended without a plan, it stays so.
  SearchResult next(std::optional<std::int64_t> below = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace banditplan
