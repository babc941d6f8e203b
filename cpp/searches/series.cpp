#include "searches/series.hpp"

#include <algorithm>

#include "task/action_cost.hpp"

namespace banditplan {

namespace {

/// What the searches before have used up, and the one under way.
SearchResult sum(const SearchResult& before, SearchResult now) {
  for (Improvement& improvement : now.history) improvement.evaluations += before.evaluations;
  now.evaluations += before.evaluations;
  now.inserted += before.inserted;
  now.expansions += before.expansions;
  now.generated += before.generated;
  now.dead_ends += before.dead_ends;
  now.work += before.work;
  if (!now.initial_h) now.initial_h = before.initial_h;
  if (before.prepare_seconds) now.prepare_seconds = before.prepare_seconds;
  now.remarks.insert(now.remarks.begin(), before.remarks.begin(), before.remarks.end());
  return now;
}

class SeriesUnderWay : public Searching {
 public:
  SeriesUnderWay(const Series& series, const SearchRequest& request, Wanted wanted)
      : searches_(series.searches), request_(request), limits_(request.limits), wanted_(wanted) {}

  void set_limits(const SearchLimits& limits) override {
    limits_ = limits;
    if (search_) search_->set_limits(left());
  }

  SearchResult next(std::optional<std::int64_t> below) override {
    if (ended_) return result_;
    if (below) best_ = std::min(best_.value_or(*below), *below);
    if (found_ && number_ < searches_.size()) leave();
    while (true) {
      if (!search_) start();
      const Elsewhere elsewhere(request_.monitor, {before_.evaluations, before_.expansions, {}});
      result_ = sum(before_, search_->next(best_));
      found_ = result_.status == Status::solved;
      if (found_) {
        const std::int64_t cost = plan_cost(request_.task, result_.plan);
        best_ = std::min(best_.value_or(cost), cost);
        return result_;
      }
      if (result_.status == Status::paused) return result_;
      if (result_.status != Status::exhausted || number_ == searches_.size()) {
        ended_ = true;
        return result_;
      }
      leave();
    }
  }

 private:
  void start() {
    SearchRequest request = request_;
    request.below = best_;
    request.limits = left();
    request_.monitor.progress = {};
    search_ = searches_[number_++]->begin(request, wanted_);
  }

  /// Of the limits, for the search under way.
  SearchLimits left() const {
    SearchLimits limits = limits_;
    if (limits.evaluations) *limits.evaluations -= before_.inserted;
    if (limits.expansions) *limits.expansions -= before_.expansions;
    if (limits.work) *limits.work -= before_.work;
    return limits;
  }

  /// The search under way has nothing more to say.
  void leave() {
    search_.reset();
    before_ = result_;
  }

  const std::vector<SearchPointer> searches_;
  const SearchRequest request_;
  SearchLimits limits_;
  const Wanted wanted_;
  std::size_t number_ = 0;  // of the next search
  std::unique_ptr<Searching> search_;
  SearchResult before_, result_;
  std::optional<std::int64_t> best_;  // cost of a plan
  bool found_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<Searching> Series::begin(const SearchRequest& request, Wanted wanted) const {
  return std::make_unique<SeriesUnderWay>(*this, request, wanted);
}

}  // namespace banditplan
