#include "searches/best_first.hpp"

#include <algorithm>

#include "open_lists/alternation.hpp"
#include "searches/lookahead.hpp"

namespace banditplan {

namespace {

class BestFirstSearch {
 public:
  BestFirstSearch(const BestFirst& options, const Task& task, const SearchLimits& limits, std::uint64_t seed,
                  Monitor& monitor, SearchResult& result, const BestFirst::Observer* observer)
      : options_(options),
        task_(task),
        limits_(limits),
        monitor_(monitor),
        result_(result),
        observer_(observer),
        random_(seed),
        evaluator_(options.heuristic->bind(task, monitor)),
        packer_(task),
        expander_(task, packer_, monitor),
        states_(packer_),
        lookahead_(packer_) {
    for (auto& list : options.open_lists()) open_.add(std::move(list), false);
    if (options.preferred)
      for (auto& list : options.open_lists()) open_.add(std::move(list), true);
    keeps_g_ = options.reopens || open_.uses_g();
    keeps_h_ = options.reopens || options.deferred;
  }

  void run() {
    result_.prepare_seconds = monitor_.seconds();
    if (holds(task_, task_.goal, task_.initial_state.data())) return finish(Status::solved);
    const std::vector<std::uint32_t> words = packer_.packed(task_.initial_state.data());
    const PackedState packed = packer_.hashed(words.data());
    states_.insert(packed);
    reach(0, {-1, -1}, 0, {-1, task_.initial_state, packed}, false);
    while (true) {
      if (!open_children()) return finish(Status::evaluation_limit);
      const Id state = next();
      if (state == OpenList::kNone) return finish(options_.heuristic->safe() ? Status::unsolvable : Status::exhausted);
      if (options_.tests_goal_late && goals_[state]) return finish_with(state);
      if (limits_.expansions && result_.expansions >= *limits_.expansions) return finish(Status::expansion_limit);
      if (const Id goal = expand(state); goal != kNone) return finish_with(goal);
    }
  }

 private:
  static constexpr Id kNone = -1;
  static constexpr Id kUnknown = -1;  // an h that has not been computed
  static constexpr std::int64_t kBoost = 1000;
  static constexpr int kMostVisited = 128;

  struct Origin {
    Id parent;
    Id action;
  };
  struct Child {
    Id state;
    Id h;
    Id ahead;  // what the look-ahead knows of it
    bool is_new;
    bool preferred;
  };

  void finish(Status status) { result_.status = status; }

  void finish_with(Id goal) {
    for (Id state = goal; origins_[state].parent >= 0; state = origins_[state].parent)
      result_.plan.push_back(origins_[state].action);
    std::ranges::reverse(result_.plan);
    finish(Status::solved);
  }

  // ---- select

  /// The state to be expanded next, or kNone.
  Id next() {
    while (true) {
      monitor_.check();
      const Id state = open_.pop(random_, [&](Id candidate) { return closed_[candidate]; });
      if (state == OpenList::kNone) return kNone;
      closed_[state] = true;
      if (!options_.deferred || h_[state] != kUnknown || evaluate_late(state)) return state;
    }
  }

  // ---- expand

  /// Generates the successors; those that are to be opened become children. Returns a goal that ends the search, or
  /// kNone.
  Id expand(Id state) {
    ++result_.expansions;
    if (observer_) observe(state);
    const std::span<const Id> recommended = preferred_actions(state);
    inherited_ = options_.deferred ? h_[state] : kUnknown;
    first_new_ = states_.size();
    Id goal = kNone;
    expander_.expand(states_.words(state), [&](const Expander::Successor& successor) {
      ++result_.generated;
      const Id action = successor.action;
      const auto [id, is_new] = states_.insert(successor.packed);
      const std::int64_t g = keeps_g_ ? g_[state] + action_cost(task_, options_.cost, action) : 0;
      const bool preferred = std::ranges::binary_search(recommended, action);
      if (!is_new) {
        if (options_.reopens && g < g_[id]) reach_cheaper(id, {state, action}, g, preferred);
        return true;
      }
      reach(id, {state, action}, g, successor, preferred);
      if (!options_.tests_goal_late && holds(task_, task_.goal, successor.values.data())) goal = id;
      return goal == kNone;
    });
    return goal;
  }

  /// Makes a new state a child; it waits for its value in the batch, unless that is known or deferred.
  void reach(Id state, Origin origin, std::int64_t g, const Expander::Successor& successor, bool preferred) {
    const std::vector<Id>& values = successor.values;
    origins_.push_back(origin);
    closed_.push_back(false);
    if (keeps_g_) g_.push_back(g);
    if (keeps_h_) h_.push_back(kUnknown);
    if (options_.deferred && options_.preferred) evaluation_of_.push_back(kNone);
    if (options_.tests_goal_late) goals_.push_back(holds(task_, task_.goal, values.data()));
    const Id ahead = options_.deferred ? Lookahead::kUnknown : lookahead_.find(successor.packed);
    children_.push_back({state, inherited_, ahead, true, preferred});
    if (!options_.deferred && ahead == Lookahead::kUnknown) batch_.insert(batch_.end(), values.begin(), values.end());
  }

  /// Notes a cheaper path to a known state, and opens it again.
  void reach_cheaper(Id state, Origin origin, std::int64_t g, bool preferred) {
    if (h_[state] == kDeadEnd) return;
    origins_[state] = origin;
    g_[state] = g;
    if (state >= first_new_) return;  // it is a child already
    closed_[state] = false;
    children_.push_back({state, h_[state] == kUnknown ? inherited_ : h_[state], kUnknown, false, preferred});
  }

  /// What the heuristic recommends in a state that has been evaluated.
  std::span<const Id> preferred_actions(Id state) const {
    if (!options_.preferred) return {};
    return preferred_[static_cast<std::size_t>(options_.deferred ? evaluation_of_[state] : state)];
  }

  void observe(Id state) {
    std::vector<Id> values(task_.variables.size());
    expander_.load(states_.words(state), values.data());
    (*observer_)(values);
  }

  // ---- evaluate

  /// Opens the children that are no dead ends, in their order; false at the limit of evaluations.
  bool open_children() {
    if (!options_.deferred) evaluate_children();
    for (const Child& child : children_) {
      if (child.is_new && !enter(child)) return false;
      if (child.h != kDeadEnd) open_.push(child.h, keeps_g_ ? g_[child.state] : 0, child.state, child.preferred);
    }
    children_.clear();
    monitor_.progress = {result_.evaluations, result_.expansions, result_.best_h};
    return true;
  }

  /// Counts a new state; false at the limit.
  bool enter(const Child& child) {
    if (limits_.evaluations && result_.inserted >= *limits_.evaluations) return false;
    ++result_.inserted;
    if (!options_.deferred) count_evaluation(child.h);
    return true;
  }

  /// Gives the new children their values.
  void evaluate_children() {
    evaluate_batch();
    std::size_t next = 0;
    for (Child& child : children_) {
      if (!child.is_new) continue;
      const bool known = child.ahead != Lookahead::kUnknown;
      if (options_.preferred) preferred_.append(known ? lookahead_.preferred(child.ahead) : recommended_[next]);
      child.h = known ? lookahead_.use(child.ahead) : values_[next++];
      if (keeps_h_) h_[child.state] = child.h;
    }
    keep_what_was_ahead();
  }

  /// Evaluates a state that still has its parent's h; a dead end gives false.
  bool evaluate_late(Id state) {
    const Id ahead = lookahead_.find(packer_.hashed(states_.words(state)));
    if (ahead == Lookahead::kUnknown) append_to_batch(state);
    evaluate_batch();
    const bool known = ahead != Lookahead::kUnknown;
    if (options_.preferred) {
      evaluation_of_[state] = static_cast<Id>(preferred_.size());
      preferred_.append(known ? lookahead_.preferred(ahead) : recommended_[0]);
    }
    h_[state] = known ? lookahead_.use(ahead) : values_[0];
    keep_what_was_ahead();
    count_evaluation(h_[state]);
    return h_[state] != kDeadEnd;
  }

  /// Evaluates what waits in the batch, and with it, where lanes would be idle, what will probably be wanted next.
  void evaluate_batch() {
    const std::size_t width = task_.variables.size();
    waiting_ = batch_.size() / width;
    recommended_ = {};
    if (waiting_ > 0) look_ahead(waiting_ + lookahead_.room(*evaluator_, waiting_));
    values_.resize(batch_.size() / width);
    if (waiting_ > 0) evaluator_->evaluate(batch_, values_, options_.preferred ? &recommended_ : nullptr);
    batch_.clear();
  }

  /// Adds states to the batch until it has `wanted`: those that come next, if their evaluation is deferred, or else
  /// their successors, then those of the children that are about to be evaluated, and so on from there.
  void look_ahead(std::size_t wanted) {
    const std::size_t most = wanted * task_.variables.size();
    if (batch_.size() == most) return;
    int left = kMostVisited;
    open_.visit_next([&](Id state) {
      if (batch_.size() >= most || left-- <= 0) return false;
      if (closed_[state]) return true;
      if (!options_.deferred)
        lookahead_.gather(state, states_, expander_, most, batch_);
      else if (h_[state] == kUnknown && lookahead_.announce(packer_.hashed(states_.words(state))))
        append_to_batch(state);
      return true;
    });
    if (options_.deferred) return;
    for (const Child& child : children_)
      if (child.is_new) lookahead_.gather(child.state, states_, expander_, most, batch_);
    lookahead_.gather_on(states_, expander_, most, batch_);
  }

  void append_to_batch(Id state) {
    batch_.resize(batch_.size() + task_.variables.size());
    expander_.load(states_.words(state), batch_.data() + batch_.size() - task_.variables.size());
  }

  /// To be called after what was known ahead has been used.
  void keep_what_was_ahead() {
    lookahead_.enter({values_.data() + waiting_, values_.size() - waiting_},
                     options_.preferred ? &recommended_ : nullptr, waiting_);
  }

  void count_evaluation(Id h) {
    if (result_.count_evaluation(h) && result_.history.size() > 1) open_.boost(kBoost);
  }

  const BestFirst& options_;
  const Task& task_;
  const SearchLimits& limits_;
  Monitor& monitor_;
  SearchResult& result_;
  const BestFirst::Observer* observer_;
  Random random_;
  std::unique_ptr<Evaluator> evaluator_;
  StatePacker packer_;
  Expander expander_;
  StateStore states_;
  Lookahead lookahead_;
  Alternation open_;
  bool keeps_g_ = false, keeps_h_ = false;

  // Per state.
  std::vector<Origin> origins_;
  std::vector<bool> closed_;       // expanded, and not opened again since
  std::vector<bool> goals_;        // if goals are tested late
  std::vector<std::int64_t> g_;    // if an open list uses it
  std::vector<Id> h_;              // if states are opened again or evaluated late
  std::vector<Id> evaluation_of_;  // the number of its evaluation, if that is deferred
  Lists<Id> preferred_;            // actions, in the order of evaluation

  // The expansion under way.
  std::vector<Child> children_;
  Id inherited_ = 0;       // the h of a child that is not evaluated yet
  Id first_new_ = 0;       // state
  std::vector<Id> batch_;  // states to be evaluated: first the waiting ones, then others
  std::size_t waiting_ = 0;
  std::vector<Id> values_;  // theirs
  Lists<Id> recommended_;   // and preferred actions
};

struct Observed : Search {
  Observed(const BestFirst& s, const BestFirst::Observer& o) : search(s), observer(o) {}
  const BestFirst& search;
  const BestFirst::Observer& observer;

 protected:
  void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
           SearchResult& result) const override {
    BestFirstSearch(search, task, limits, seed, monitor, result, &observer).run();
  }
};

}  // namespace

SearchResult BestFirst::observe(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                                const Observer& observer) const {
  const Observed observed(*this, observer);
  return static_cast<const Search&>(observed).run(task, limits, seed, monitor);
}

void BestFirst::run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                    SearchResult& result) const {
  BestFirstSearch(*this, task, limits, seed, monitor, result, nullptr).run();
}

}  // namespace banditplan
