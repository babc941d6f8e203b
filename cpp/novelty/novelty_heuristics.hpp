#pragma once

#include "heuristics/heuristic.hpp"

namespace banditplan {

/// How new a state is among those with the same values of other heuristics (Lipovetzky and Geffner 2017). A heuristic
/// of paths: the size of the smallest set of facts that no such state had before, or the width and 1.
struct NoveltyHeuristic : Heuristic {
  std::vector<HeuristicPointer> heuristics;  // whose values are the partition
  std::int64_t width = 2;
  bool forgets = false;  // everything, whenever one of them finds a smaller value than ever
  bool prunes = false;   // a state above the width is taken for a dead end
  std::int64_t megabytes = 1024;

  Bound bind(const Task& task, Monitor& monitor) const override;
  bool safe() const override { return !prunes; }
  std::vector<HeuristicPointer> needs() const override { return heuristics; }
  std::int64_t effort(const Task&, Monitor&) const override { return width == 1 ? 1 : kEffortOfSets; }
  bool same(const Heuristic& other) const override;

 private:
  static constexpr std::int64_t kEffortOfSets = 4;
};

/// The same for larger sets of facts, some of which are sampled (Singh, Lipovetzky, Ramírez and Segovia-Aguas 2021).
struct ApproximateNoveltyHeuristic : NoveltyHeuristic {
  ApproximateNoveltyHeuristic() { width = 3; }
  std::int64_t samples = 64;  // per state and size of sets

  Bound bind(const Task& task, Monitor& monitor) const override;
  bool same(const Heuristic& other) const override;
};

/// #r of best-first width search: how many facts of the relaxed plan that was made where the goal count last fell on
/// the path have been true since. A heuristic of paths.
struct RelaxedPlanCountHeuristic : Heuristic {
  Bound bind(const Task& task, Monitor& monitor) const override;
  bool safe() const override { return true; }
  std::vector<HeuristicPointer> needs() const override;
  bool same(const Heuristic& other) const override { return equal(*this, other); }
};

}  // namespace banditplan
