#include "landmarks/backchaining.hpp"

#include <algorithm>
#include <limits>

#include "landmarks/transitions.hpp"

namespace banditplan {

namespace {

constexpr std::size_t kMostAlternatives = 4;  // of a disjunctive landmark
constexpr Id kNone = -1;

/// A landmark in the making.
struct Draft {
  std::vector<Id> facts;  // ascending
  bool initial = false;
  bool removed = false;         // replaced by a single fact
  std::size_t sweep = 0;        // where its reachability is: the number of a sweep,
  std::size_t lane = SIZE_MAX;  // and a lane of it
};

class Backchaining {
 public:
  Backchaining(const Task& task, const Ways& ways, Reachability& reachability, Monitor& monitor)
      : task_(task),
        ways_(ways),
        reachability_(reachability),
        monitor_(monitor),
        transitions_(task, ways),
        single_(task.facts.size(), kNone),
        several_(task.facts.size(), kNone),
        seen_(task.facts.size(), 0),
        count_(task.facts.size(), 0),
        classes_(task.predicates.size()) {}

  LandmarkGraph run(std::span<const Id> seeds) {
    for (Id fact : task_.goal) add_single(fact);
    const std::size_t goals = nodes_.size();
    for (Id fact : seeds) add_single(fact);
    for (std::size_t next = 0; next < nodes_.size(); ++next) {
      if (nodes_[next].removed || nodes_[next].initial) continue;
      if (nodes_[next].lane == SIZE_MAX) sweep(next);
      examine(static_cast<Id>(next));
    }
    order_by_reachability();
    return result(goals);
  }

 private:
  // ---- nodes and orders

  Id add_node(std::vector<Id> facts) {
    Draft node;
    node.initial = std::ranges::any_of(facts, [&](Id fact) { return initially(fact); });
    node.facts = std::move(facts);
    nodes_.push_back(std::move(node));
    return static_cast<Id>(nodes_.size() - 1);
  }

  Id add_single(Id fact) {
    if (single_[fact] != kNone) return single_[fact];
    single_[fact] = add_node({fact});
    if (several_[fact] != kNone) replace(several_[fact], single_[fact]);
    return single_[fact];
  }

  /// A single fact says more than a set around it: what came before the set comes before the fact, some time.
  void replace(Id set, Id single) {
    nodes_[set].removed = true;
    for (Id fact : nodes_[set].facts) several_[fact] = kNone;
    for (std::size_t i = 0, end = orders_.size(); i < end; ++i)
      if (orders_[i].to == set) order(orders_[i].from, single, OrderKind::natural);
  }

  void order(Id from, Id to, OrderKind kind) { orders_.push_back({from, to, kind}); }

  bool initially(Id fact) const { return holds(task_, fact, task_.initial_state.data()); }

  // ---- reachability

  /// What can be reached before each of the next landmarks, as many as fit.
  void sweep(std::size_t first) {
    std::vector<std::span<const Id>> excluded;
    for (std::size_t n = first; n < nodes_.size() && excluded.size() < Reachability::kLanes; ++n) {
      Draft& node = nodes_[n];
      if (node.removed || node.initial) continue;
      node.sweep = sweeps_.size();
      node.lane = excluded.size();
      excluded.push_back(node.facts);
    }
    sweeps_.push_back(reachability_.run(excluded));
  }

  bool reached_before(const Draft& node, Id fact) const { return (sweeps_[node.sweep][fact] >> node.lane & 1) != 0; }

  bool all_reached_before(const Draft& node, std::span<const Id> facts) const {
    return std::ranges::all_of(facts, [&](Id fact) { return reached_before(node, fact); });
  }

  // ---- what comes before a landmark

  void examine(Id landmark) {
    // Nothing is known of what makes the negation of a derived fact true.
    if (std::ranges::any_of(nodes_[landmark].facts, [&](Id fact) { return is_granted(task_, fact); })) return;
    find_first_achievers(nodes_[landmark]);
    if (achievers_.size() == 0) {
      reachable_ = false;
      return;
    }
    add_shared_needs(landmark);
    if (nodes_[landmark].facts.size() == 1) add_values_on_the_way(landmark);
    add_disjunctions(landmark);
  }

  /// Fills `achievers_` with what each of them needs. An owner with several ways to the landmark needs what all of them
  /// need.
  void find_first_achievers(const Draft& node) {
    candidates_.clear();
    for (Id fact : node.facts)
      candidates_.insert(candidates_.end(), ways_.achievers[fact].begin(), ways_.achievers[fact].end());
    if (node.facts.size() > 1) {
      std::ranges::sort(candidates_);
      candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    }
    achievers_ = {};
    std::vector<Id> shared, both;
    for (std::size_t begin = 0, end = 0; begin < candidates_.size(); begin = end) {
      const Id owner = ways_.owners[candidates_[begin]];
      bool first = false;
      for (end = begin; end < candidates_.size() && ways_.owners[candidates_[end]] == owner; ++end) {
        const auto needs = ways_.needs[candidates_[end]];
        if (!first) first = all_reached_before(node, needs);
        if (end == begin) {
          shared.assign(needs.begin(), needs.end());
        } else {
          both.clear();
          std::ranges::set_intersection(shared, needs, std::back_inserter(both));
          shared.swap(both);
        }
      }
      if (!first) continue;
      for (Id fact : node.facts)
        if (const Id before = opposite(fact); before != kNone && sets_variable_of(owner, fact))
          shared.push_back(before);
      std::ranges::sort(shared);
      shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
      achievers_.append(shared);
    }
  }

  /// What is true as long as the fact is not, if that is a fact: the other value of two.
  Id opposite(Id fact) const {
    const Fact& f = task_.facts[fact];
    const Variable& variable = task_.variables[f.variable];
    if (f.negated) return variable.first_fact + f.value;
    return variable.values == 2 ? variable.first_fact + 1 - f.value : kNone;
  }

  bool sets_variable_of(Id owner, Id fact) const {
    const Id variable = task_.facts[fact].variable;
    for (std::size_t way = ways_.starts[owner]; way < ways_.starts[owner + 1]; ++way)
      for (Id added : ways_.adds[way])
        if (task_.facts[added].variable == variable) return true;
    return false;
  }

  /// What all first achievers need is true immediately before.
  void add_shared_needs(Id landmark) {
    shared_.clear();
    for (std::size_t i = 0; i < achievers_.size(); ++i)
      for (Id fact : achievers_[i])
        if (++count_[fact] == static_cast<Id>(achievers_.size())) shared_.push_back(fact);
    for (std::size_t i = 0; i < achievers_.size(); ++i)
      for (Id fact : achievers_[i]) count_[fact] = 0;
    std::ranges::sort(shared_);
    for (Id fact : shared_) order(add_single(fact), landmark, OrderKind::greedy_necessary);
  }

  /// Values of its variable that no path of transitions can avoid.
  void add_values_on_the_way(Id landmark) {
    const Id fact = nodes_[landmark].facts[0];
    if (task_.facts[fact].negated) return;
    transitions_.find_unavoidable(fact, [&](Id other) { return reached_before(nodes_[landmark], other); }, shared_);
    for (Id other : shared_) order(add_single(other), landmark, OrderKind::natural);
  }

  /// If every first achiever needs a fact of one predicate, one of these facts is true immediately before.
  void add_disjunctions(Id landmark) {
    used_.clear();
    for (std::size_t i = 0; i < achievers_.size(); ++i)
      for (Id fact : achievers_[i]) {
        const Id predicate = predicate_of(fact);
        if (predicate == kNone || single_[fact] != kNone) continue;
        PredicateNeeds& needs = classes_[predicate];
        if (needs.users == 0) used_.push_back(predicate);
        if (needs.users == 0 || needs.last_user != i) ++needs.users;
        needs.last_user = i;
        if (needs.facts.size() <= kMostAlternatives && std::ranges::find(needs.facts, fact) == needs.facts.end())
          needs.facts.push_back(fact);
      }
    std::ranges::sort(used_);
    for (Id predicate : used_) {
      PredicateNeeds& needs = classes_[predicate];
      if (needs.users == achievers_.size() && needs.facts.size() >= 2 && needs.facts.size() <= kMostAlternatives)
        add_several(needs.facts, landmark);
      needs.users = 0;
      needs.facts.clear();
    }
  }

  void add_several(std::vector<Id> facts, Id landmark) {
    std::ranges::sort(facts);
    if (std::ranges::any_of(facts, [&](Id fact) { return initially(fact) || single_[fact] != kNone; })) return;
    const auto overlap = std::ranges::find_if(facts, [&](Id fact) { return several_[fact] != kNone; });
    if (overlap != facts.end()) {
      const Id known = several_[*overlap];
      if (std::ranges::includes(nodes_[known].facts, facts)) order(known, landmark, OrderKind::greedy_necessary);
      return;
    }
    const Id node = add_node(facts);
    for (Id fact : facts) several_[fact] = node;
    order(node, landmark, OrderKind::greedy_necessary);
  }

  /// The predicate that a fact speaks of; none for "none of those".
  Id predicate_of(Id fact) const {
    const Fact& f = task_.facts[fact];
    const Variable& variable = task_.variables[f.variable];
    const auto name = task_.fact_names[variable.first_fact + f.value];
    if (!name.empty()) return name[0];
    return variable.values == 2 ? task_.fact_names[variable.first_fact][0] : kNone;
  }

  // ---- what comes after a landmark

  /// A fact that cannot be reached before a landmark, and comes from no action together with it, comes later.
  void order_by_reachability() {
    Id stamp = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      monitor_.check();
      const Draft& node = nodes_[n];
      if (node.removed || node.initial) continue;
      ++stamp;
      for (Id fact : node.facts) {
        seen_[fact] = stamp;
        for (Id achiever : ways_.achievers[fact]) {
          const Id owner = ways_.owners[achiever];
          for (std::size_t way = ways_.starts[owner]; way < ways_.starts[owner + 1]; ++way)
            for (Id added : ways_.adds[way]) seen_[added] = stamp;
        }
      }
      for (std::size_t other = 0; other < nodes_.size(); ++other) {
        const Draft& later = nodes_[other];
        if (later.facts.size() > 1 || later.removed) continue;
        const Id fact = later.facts[0];
        if (seen_[fact] != stamp && !reached_before(node, fact))
          order(static_cast<Id>(n), static_cast<Id>(other), OrderKind::natural);
      }
    }
  }

  // ---- the result

  LandmarkGraph result(std::size_t goals) {
    LandmarkGraph graph;
    graph.reachable = reachable_;
    std::vector<Id> numbers(nodes_.size(), kNone);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Draft& node = nodes_[n];
      if (node.removed) continue;
      numbers[n] = static_cast<Id>(graph.size());
      graph.facts.append(node.facts);
      graph.initial.push_back(node.initial);
      graph.goal.push_back(n < goals);
      graph.achievable.push_back(std::ranges::any_of(
          node.facts, [&](Id fact) { return is_granted(task_, fact) || !ways_.achievers[fact].empty(); }));
    }
    std::erase_if(orders_, [&](const LandmarkOrder& o) { return numbers[o.from] == kNone || numbers[o.to] == kNone; });
    for (LandmarkOrder& each : orders_) each = {numbers[each.from], numbers[each.to], each.kind};
    graph.orders = std::move(orders_);
    keep_strongest_orders(graph);
    return graph;
  }

  const Task& task_;
  const Ways& ways_;
  Reachability& reachability_;
  Monitor& monitor_;
  TransitionGraphs transitions_;

  std::vector<Draft> nodes_;           // in the order in which they are examined
  std::vector<LandmarkOrder> orders_;  // of nodes, also of removed ones
  std::vector<Id> single_, several_;   // per fact: the landmark that it is, or is in; -1: none
  std::vector<std::vector<Reachability::Lanes>> sweeps_;
  bool reachable_ = true;

  // Scratch memory.
  struct PredicateNeeds {
    std::size_t users = 0, last_user = 0;
    std::vector<Id> facts;
  };
  std::vector<Id> candidates_, shared_, used_;
  Lists<Id> achievers_;                  // per first achiever: what it needs, ascending
  std::vector<Id> seen_, count_;         // per fact
  std::vector<PredicateNeeds> classes_;  // per predicate
};

}  // namespace

LandmarkGraph chain_backwards(const Task& task, const Ways& ways, Reachability& reachability, std::span<const Id> seeds,
                              Monitor& monitor) {
  return Backchaining(task, ways, reachability, monitor).run(seeds);
}

}  // namespace banditplan
