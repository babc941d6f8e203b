#include "searches/guct.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "searches/lookahead.hpp"
#include "tree/path_costs.hpp"

namespace banditplan {

namespace {

class TreeSearch {
 public:
  TreeSearch(const Guct& guct, const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
             SearchResult& result, TreeObserver* observer, PathCosts* costs = nullptr)
      : guct_(guct),
        task_(task),
        limits_(limits),
        monitor_(monitor),
        result_(result),
        observer_(observer),
        costs_(costs),
        random_(seed),
        evaluator_(guct.heuristic->bind(task, monitor)),
        packer_(task),
        expander_(task, packer_, monitor),
        states_(packer_),
        lookahead_(packer_),
        tree_(*guct.backup, guct.bandit->center()) {}

  void run() {
    result_.prepare_seconds = monitor_.seconds();
    try {
      if (holds(task_, task_.goal, task_.initial_state.data())) return finish(Status::solved);
      if (!plant()) return finish(Status::evaluation_limit);
      search();
    } catch (const Stopped&) {
      if (observer_) observer_->ended(tree_, result_);
      throw;
    }
  }

  /// After a plan, with path costs: completes the round that found it, and goes on for a plan below the bound.
  void resume(PathCosts::Cost bound) {
    result_.plan.clear();
    if (bound <= 0) return finish(Status::unsolvable);
    if (!evaluate(leaf_)) return finish(Status::evaluation_limit);
    attach(leaf_);
    tree_.backpropagate();
    costs_->tighten(tree_, bound);
    search();
  }

 private:
  static constexpr Id kRoot = 0;
  static constexpr Id kNoNode = -1;

  /// By an action of the leaf.
  struct Reached {
    Id action;
    Id state;
    bool is_new;
  };

  void search() {
    while (true) {
      monitor_.check();
      if (tree_.empty() || tree_.locked(kRoot)) return finish(proves() ? Status::unsolvable : Status::exhausted);
      const Id leaf = leaf_ = select();
      if (costs_) costs_->expand(leaf);
      if (!guct_.deferred || evaluate_late(leaf)) {
        if (limits_.expansions && result_.expansions >= *limits_.expansions) return finish(Status::expansion_limit);
        if (expand(leaf)) return finish(Status::solved);
        if (!evaluate(leaf)) return finish(Status::evaluation_limit);
        attach(leaf);
      }
      tree_.backpropagate();
      monitor_.progress = {result_.evaluations, result_.expansions, result_.best_h};
      if (observer_) observer_->visited(tree_, leaf, result_);
    }
  }

  /// Whether there is no plan (below the bound) if nothing is left to search.
  bool proves() const {
    const bool complete = !costs_ || costs_->bound() == PathCosts::kNone || guct_.graft != Graft::never;
    return guct_.heuristic->safe() && complete;
  }

  void finish(Status status) {
    result_.status = status;
    if (!observer_) return;
    tree_.backpropagate();
    observer_->ended(tree_, result_);
  }

  /// Makes the root, unless it is a dead end; false at the limit of evaluations.
  bool plant() {
    const std::vector<std::uint32_t> words = packer_.packed(task_.initial_state.data());
    states_.insert(packer_.hashed(words.data()));
    node_of_.push_back(kNoNode);
    batch_ = task_.initial_state;
    ahead_.assign(1, Lookahead::kUnknown);
    values_.assign(1, 0);
    if (limits_.evaluations && *limits_.evaluations < 1) return false;
    ++result_.inserted;
    if (!guct_.deferred) evaluate_batch(kNoNode);
    if (values_[0] == kDeadEnd) return true;
    tree_.plant(0, values_[0]);
    if (costs_) costs_->add(0);
    node_of_[0] = kRoot;
    return true;
  }

  // ---- select

  /// Follows the bandit's choices from the root to a leaf.
  Id select() {
    Id node = kRoot;
    while (!tree_.node(node).leaf()) node = choose(node);
    return node;
  }

  /// A child that is not locked; with preferred operators, one of theirs if there is any.
  Id choose(Id parent) {
    const Id first = tree_.node(parent).first_child;
    const std::uint32_t total = tree_.arm(parent).count;
    Arms arms{tree_.arms(parent), static_cast<double>(total), logarithms_.of(total), guct_.preferred};
    if (arms.preferred && !arms.any([](const Arm&) { return true; })) arms.preferred = false;
    return first + static_cast<Id>(observer_ ? choose_observed(parent, arms) : guct_.bandit->choose(arms, random_));
  }

  std::size_t choose_observed(Id parent, Arms& arms) {
    scores_.resize(arms.all.size());
    arms.scores = scores_.data();
    const std::size_t index = guct_.bandit->choose(arms, random_);
    if (arms.offered() > 1) observer_->chosen(tree_, parent, arms, index);
    return index;
  }

  // ---- expand

  /// Generates the successors; the new ones wait in the batch. True if one is a goal; the plan is in the result then.
  bool expand(Id leaf) {
    ++result_.expansions;
    reached_.clear();
    batch_.clear();
    ahead_.clear();
    bool found = false;
    expander_.expand(states_.words(tree_.node(leaf).state), [&](const Expander::Successor& successor) {
      ++result_.generated;
      if (costs_ && leaves_out(leaf, successor.action, successor.values)) return true;
      const StateStore::Entry entry = states_.insert(successor.packed);
      reached_.push_back({successor.action, entry.id, entry.is_new});
      if (!entry.is_new) return true;
      node_of_.push_back(kNoNode);
      batch_.insert(batch_.end(), successor.values.begin(), successor.values.end());
      ahead_.push_back(guct_.deferred ? Lookahead::kUnknown : lookahead_.find(successor.packed));
      found = !costs_ && holds(task_, task_.goal, successor.values.data());
      return !found;
    });
    if (found) set_plan(leaf, reached_.back().action);
    return !result_.plan.empty();
  }

  /// With path costs: whether the successor gets no node, for it is a goal or costs too much. A goal may be a plan.
  bool leaves_out(Id leaf, Id action, const std::vector<Id>& successor) {
    if (!holds(task_, task_.goal, successor.data())) return costs_->prune(leaf, action);
    if (costs_->plan(leaf, action)) set_plan(leaf, action);
    return true;
  }

  void set_plan(Id leaf, Id last) {
    result_.plan = tree_.path(leaf);
    result_.plan.push_back(last);
  }

  // ---- evaluate

  /// Gives the new states their values; false at the limit of evaluations.
  bool evaluate(Id leaf) {
    const std::size_t width = task_.variables.size();
    const std::size_t all = batch_.size() / width;
    std::size_t count = all;
    if (limits_.evaluations) count = std::min(count, static_cast<std::size_t>(*limits_.evaluations - result_.inserted));
    result_.inserted += static_cast<std::int64_t>(count);
    values_.assign(count, tree_.node(leaf).h);
    if (!guct_.deferred) {
      batch_.resize(count * width);
      evaluate_batch(leaf);
    }
    return count == all;
  }

  /// Evaluates a leaf that still has its parent's h; a dead end is locked, and the answer is false.
  bool evaluate_late(Id leaf) {
    batch_.resize(task_.variables.size());
    expander_.load(states_.words(tree_.node(leaf).state), batch_.data());
    ahead_.assign(1, Lookahead::kUnknown);
    values_.resize(1);
    preferred_ = {};
    evaluate_batch(leaf);
    if (values_[0] == kDeadEnd) {
      node_of_[tree_.node(leaf).state] = kNoNode;
      tree_.lock(leaf);
      return false;
    }
    tree_.revalue(leaf, values_[0]);
    return true;
  }

  /// Gives the states of the batch their values, and counts them. What was not computed ahead is evaluated now, with
  /// successors of the new states where lanes would be idle.
  void evaluate_batch(Id leaf) {
    if (values_.empty()) return;
    const std::size_t width = task_.variables.size();
    unknown_.clear();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (ahead_[i] != Lookahead::kUnknown) continue;
      const auto state = batch_.begin() + static_cast<std::ptrdiff_t>(i * width);
      unknown_.insert(unknown_.end(), state, state + static_cast<std::ptrdiff_t>(width));
    }
    const std::size_t waiting = unknown_.size() / width;
    if (waiting > 0 && leaf != kNoNode && !guct_.deferred)
      look_ahead(leaf, waiting + lookahead_.room(*evaluator_, waiting));
    computed_.resize(unknown_.size() / width);
    recommended_ = {};
    Lists<Id>* const recommended = guct_.preferred ? &recommended_ : nullptr;
    evaluator_->evaluate(unknown_, computed_, recommended);
    std::size_t next = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const bool known = ahead_[i] != Lookahead::kUnknown;
      if (recommended) preferred_.append(known ? lookahead_.preferred(ahead_[i]) : recommended_[next]);
      values_[i] = known ? lookahead_.use(ahead_[i]) : computed_[next++];
      result_.count_evaluation(values_[i]);
    }
    lookahead_.enter({computed_.data() + waiting, computed_.size() - waiting}, recommended, waiting);
  }

  /// Adds successors of the new states, of which one is often selected next, those of preferred ones first, until
  /// `wanted` states wait for their values.
  void look_ahead(Id leaf, std::size_t wanted) {
    const std::size_t most = wanted * task_.variables.size();
    const std::span<const Id> recommended = recommended_in(leaf);
    for (const bool preferred : {true, false})
      for (const Reached& reached : reached_)
        if (reached.is_new && std::ranges::binary_search(recommended, reached.action) == preferred)
          lookahead_.gather(reached.state, states_, expander_, most, unknown_);
  }

  /// The preferred actions, if they are wanted.
  std::span<const Id> recommended_in(Id leaf) const {
    if (!guct_.preferred) return {};
    return preferred_[guct_.deferred ? 0 : static_cast<std::size_t>(tree_.node(leaf).state)];
  }

  // ---- attach

  /// Makes the successors children of the leaf: new states, unless they are dead ends, and known ones that move here.
  void attach(Id leaf) {
    tree_.open(leaf);
    const Id inherited = tree_.node(leaf).h;
    const std::span<const Id> recommended = recommended_in(leaf);
    std::size_t next = 0;
    for (const Reached& reached : reached_) {
      const bool preferred = std::ranges::binary_search(recommended, reached.action);
      const Id known = node_of_[reached.state];
      if (reached.is_new) {
        const Id h = values_[next++];
        if (h != kDeadEnd) add_child(leaf, reached, h, preferred);
      } else if (known != kNoNode && moves(known, leaf, reached.action)) {
        const Id h = guct_.deferred ? inherited : tree_.node(known).h;
        add_child(leaf, reached, h, preferred);
        costs_ ? costs_->move(tree_, known, node_of_[reached.state]) : tree_.graft(known, node_of_[reached.state]);
      } else if (known != kNoNode && costs_) {
        costs_->leave(tree_, leaf, reached.action, known);
      }
    }
    tree_.close();
  }

  void add_child(Id leaf, const Reached& reached, Id h, bool preferred) {
    node_of_[reached.state] = tree_.attach(reached.action, reached.state, h, preferred);
    if (costs_) costs_->add(costs_->after(leaf, reached.action));
  }

  /// Whether a known node's state is better reached by the leaf and the action.
  bool moves(Id known, Id leaf, Id action) const {
    const int than_known =
        costs_ ? costs_->compare(tree_, leaf, action, known) : tree_.node(leaf).g + 1 - tree_.node(known).g;
    const bool waits = costs_ && tree_.node(known).parent == kNoNode;  // for its parent, which is expanded again
    switch (guct_.graft) {
      case Graft::paper:
        return than_known <= 0;
      case Graft::strict:
        return than_known < 0 || (waits && than_known == 0);
      case Graft::never:
        return false;
    }
    return false;
  }

  const Guct& guct_;
  const Task& task_;
  const SearchLimits& limits_;
  Monitor& monitor_;
  SearchResult& result_;
  TreeObserver* observer_;
  PathCosts* costs_;  // of an anytime search; none: the first plan is all that is wanted
  Random random_;
  std::unique_ptr<Evaluator> evaluator_;
  StatePacker packer_;
  Expander expander_;
  StateStore states_;
  Lookahead lookahead_;
  Tree tree_;
  std::vector<Id> node_of_;  // per state; a dead end has none
  Lists<Id> preferred_;      // per state in the order of evaluation; if it is deferred, of the leaf alone

  // The choice, and the expansion under way.
  Id leaf_ = kNoNode;
  Logarithms logarithms_;
  std::vector<double> scores_;  // for the observer
  std::vector<Reached> reached_;
  std::vector<Id> batch_;               // the states to be evaluated, one after the other
  std::vector<Id> values_;              // theirs
  std::vector<Id> ahead_;               // what the look-ahead knows of them
  std::vector<Id> unknown_, computed_;  // states that it does not know, and their values
  Lists<Id> recommended_;               // and preferred actions
};

struct Observed : Search {
  Observed(const Guct& g, TreeObserver& o) : guct(g), observer(o) {}
  const Guct& guct;
  TreeObserver& observer;

 protected:
  void run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
           SearchResult& result) const override {
    TreeSearch(guct, task, limits, seed, monitor, result, &observer).run();
  }
};

}  // namespace

struct Anytime::State {
  State(const Guct& g, const Task& t, const SearchLimits& l, std::uint64_t s, Monitor& m)
      : guct(g), task(t), limits(l), seed(s), monitor(m), costs(t) {}

  const Guct& guct;
  const Task& task;
  SearchLimits limits;
  std::uint64_t seed;
  Monitor& monitor;
  SearchResult result;
  PathCosts costs;
  std::optional<TreeSearch> search;  // made by the first call, which can be stopped
  bool started = false;
};

Anytime::Anytime(const Guct& guct, const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor)
    : state_(std::make_unique<State>(guct, task, limits, seed, monitor)) {}

Anytime::~Anytime() = default;

SearchResult Anytime::next(std::optional<std::int64_t> below) {
  State& state = *state_;
  const bool started = std::exchange(state.started, true);
  if (started && state.result.status != Status::solved) return state.result;
  until_stopped(state.result, [&] {
    if (!started && !state.task.solvable) {
      state.result.status = Status::unsolvable;
    } else if (!started) {
      state.search.emplace(state.guct, state.task, state.limits, state.seed, state.monitor, state.result, nullptr,
                           &state.costs);
      state.search->run();
    } else {
      state.search->resume(state.result.plan.empty() ? 0
                                                     : std::min(below.value_or(PathCosts::kNone), state.costs.bound()));
    }
  });
  return state.result;
}

SearchResult Guct::observe(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
                           TreeObserver& observer) const {
  const Observed observed(*this, observer);
  return static_cast<const Search&>(observed).run(task, limits, seed, monitor);
}

void Guct::run(const Task& task, const SearchLimits& limits, std::uint64_t seed, Monitor& monitor,
               SearchResult& result) const {
  TreeSearch(*this, task, limits, seed, monitor, result, nullptr).run();
}

}  // namespace banditplan
