#include "heuristics/relaxed_network.hpp"

#include <algorithm>
#include <iterator>

#include "numbered_lists.hpp"

namespace banditplan {

namespace {

Lists<Id> lists_by_fact(const Lists<Id>& facts, std::size_t count, Monitor& monitor) {
  return Lists<Id>::inverse(facts, count, [](Id fact) { return fact; }, [&] { monitor.check_short(); });
}

/// Operators with the facts that they add, facts with the operators that wait for them.
void connect(RelaxedNetwork& network, Monitor& monitor) {
  network.adds = Lists<RelaxedNetwork::Add>::group(network.operators(), [&](auto&& visit) {
    for (std::size_t fact = 0; fact < network.facts; ++fact)
      for (Id way : network.achievers[fact]) {
        monitor.check_short();
        visit(network.operator_of[way], RelaxedNetwork::Add{static_cast<Id>(fact), way});
      }
  });
  network.readers = lists_by_fact(network.preconditions, network.facts, monitor);
  network.free.clear();
  for (std::size_t op = 0; op < network.operators(); ++op)
    if (network.preconditions[op].empty()) network.free.push_back(static_cast<Id>(op));
}

class NetworkBuilder {
 public:
  NetworkBuilder(const Task& task, CostType cost_type, RelaxedNetwork& network, Monitor& monitor)
      : task_(task), cost_type_(cost_type), network_(network), monitor_(monitor) {}

  void build() {
    network_.facts = task_.facts.size();
    collect_negated_facts();
    collect_ways();
    find_achievers();
    keep_useful_operators();
    connect(network_, monitor_);
  }

 private:
  void collect_negated_facts() {
    network_.negated = negated_facts(task_);
    negation_of_.assign(network_.facts, -1);
    for (std::size_t f = task_.negated_facts_begin; f < network_.facts; ++f)
      negation_of_[task_.variables[task_.facts[f].variable].first_fact + task_.facts[f].value] = static_cast<Id>(f);
    for (const Variable& variable : task_.variables)
      if (variable.derived()) network_.granted.push_back(variable.first_fact + 1);
  }

  void collect_ways() {
    const std::size_t ways = task_.actions() + task_.axioms();
    network_.preconditions.reserve(ways, task_.preconditions.total());
    network_.costs.reserve(ways);
    network_.action_of.reserve(ways);
    network_.action_costs.reserve(task_.actions());
    way_adds_.reserve(ways, task_.effects.total());
    for (std::size_t a = 0; a < task_.actions(); ++a) add_action(static_cast<Id>(a));
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      needs_ = task_.axiom_bodies[x];
      adds_.clear();
      if (!needs(task_.axiom_heads[x])) adds_.push_back(task_.axiom_heads[x]);
      add_way(-1, 0);
    }
  }

  Id cost_of(Id action) const {
    return static_cast<Id>(std::min<std::int64_t>(action_cost(task_, cost_type_, action), kSaturated));
  }

  /// Effects with equal conditions share a way.
  void add_action(Id action) {
    network_.action_costs.push_back(cost_of(action));
    const auto condition = [&](const Effect& effect) { return task_.conditions[effect.condition]; };
    const auto precondition = task_.preconditions[action];
    const std::span<const Effect> effects = by_condition(task_.effects[action], condition);
    for (std::size_t begin = 0, end = 0; begin < effects.size(); begin = end) {
      const auto shared = condition(effects[begin]);
      needs_ = shared.empty() ? precondition : both(precondition, shared);
      adds_.clear();
      while (end < effects.size() && std::ranges::equal(shared, condition(effects[end])))
        add_fact_and_negations(effects[end++].fact);
      add_way(action, network_.action_costs.back());
    }
  }

  template <class Condition>
  std::span<const Effect> by_condition(std::span<const Effect> effects, Condition condition) {
    if (std::ranges::all_of(effects, [](const Effect& effect) { return effect.condition == 0; })) return effects;
    sorted_.assign(effects.begin(), effects.end());
    std::ranges::stable_sort(sorted_, [&](const Effect& x, const Effect& y) {
      return std::ranges::lexicographical_compare(condition(x), condition(y));
    });
    return sorted_;
  }

  std::span<const Id> both(std::span<const Id> precondition, std::span<const Id> condition) {
    united_.clear();
    std::ranges::set_union(precondition, condition, std::back_inserter(united_));
    return united_;
  }

  /// What setting a variable makes true: also that it has none of the other values. What the way needs is not news; if
  /// it needs a value of the variable, that it has none of the others is no news, either.
  void add_fact_and_negations(Id fact) {
    const Fact& f = task_.facts[fact];
    const Variable& variable = task_.variables[f.variable];
    const auto needed = std::ranges::lower_bound(needs_, variable.first_fact);
    if (needed != needs_.end() && *needed < variable.first_fact + variable.values) {
      if (needs(fact)) return;
      adds_.push_back(fact);
      if (const Id other = negation_of_[*needed]; other >= 0 && !needs(other)) adds_.push_back(other);
      return;
    }
    adds_.push_back(fact);
    for (Id other : network_.negated[f.variable])
      if (task_.facts[other].value != f.value && !needs(other)) adds_.push_back(other);
  }

  bool needs(Id fact) const { return std::ranges::binary_search(needs_, fact); }

  /// From `needs_` to `adds_`.
  void add_way(Id action, Id cost) {
    monitor_.check_short();
    if (cost == 0) network_.has_free_ways = true;
    network_.preconditions.append(needs_);
    network_.costs.push_back(cost);
    network_.action_of.push_back(action);
    way_adds_.append(adds_);
  }

  /// Per fact that somebody reads, the ways that add it and are not dominated by an earlier one.
  void find_achievers() {
    const Lists<Id> all = lists_by_fact(way_adds_, network_.facts, monitor_);
    way_adds_ = {};
    std::vector<char> read(network_.facts, false);
    for (Id fact : task_.goal) read[fact] = true;
    std::vector<std::uint64_t> signature(network_.operators(), 0);
    for (std::size_t op = 0; op < network_.operators(); ++op)
      for (Id fact : network_.preconditions[op]) {
        read[fact] = true;
        signature[op] |= std::uint64_t{1} << (fact & 63);
      }
    network_.achievers.reserve(network_.facts, all.total());
    std::vector<Id> kept;
    for (std::size_t fact = 0; fact < network_.facts; ++fact) {
      kept.clear();
      for (Id way : read[fact] ? all[fact] : std::span<const Id>()) {
        monitor_.check_short();
        if (kept.size() > kMostCompared || !dominated(way, kept, signature)) kept.push_back(way);
      }
      network_.achievers.append(kept);
    }
  }

  bool dominated(Id way, const std::vector<Id>& earlier, const std::vector<std::uint64_t>& signature) const {
    return std::ranges::any_of(earlier, [&](Id other) {
      return (signature[other] & ~signature[way]) == 0 && network_.costs[other] <= network_.costs[way] &&
             std::ranges::includes(network_.preconditions[way], network_.preconditions[other]);
    });
  }

  /// Until now, every way has its own; those that achieve nothing go.
  void keep_useful_operators() {
    network_.operator_of.assign(network_.operators(), -1);
    for (Id way : network_.achievers.items()) network_.operator_of[way] = 0;
    const auto is_useful = [&](std::size_t way) { return network_.operator_of[way] == 0; };
    network_.preconditions.filter([&](std::size_t way) {
      monitor_.check_short();
      return is_useful(way);
    });
    Id kept = 0;
    for (std::size_t way = 0; way < network_.ways(); ++way) {
      if (!is_useful(way)) continue;
      network_.costs[kept] = network_.costs[way];
      network_.operator_of[way] = kept++;
    }
    network_.costs.resize(kept);
  }

  static constexpr std::size_t kMostCompared = 64;

  const Task& task_;
  CostType cost_type_;
  RelaxedNetwork& network_;
  Monitor& monitor_;
  std::vector<Id> negation_of_;  // per fact; -1: nobody reads it
  Lists<Id> way_adds_;
  std::vector<Effect> sorted_;
  std::vector<Id> united_;
  std::span<const Id> needs_;  // of the way that is being added
  std::vector<Id> adds_;
};

/// Operators as they fire from the initial state; those that do not fire come last.
std::vector<Id> firing_order(const Task& task, const RelaxedNetwork& network, Monitor& monitor) {
  std::vector<Id> order, queue;
  order.reserve(network.operators());
  std::vector<char> reached(network.facts, false);
  std::vector<std::uint32_t> waiting;
  waiting.reserve(network.operators());
  for (std::size_t op = 0; op < network.operators(); ++op)
    waiting.push_back(static_cast<std::uint32_t>(network.preconditions[op].size()));
  const auto reach = [&](Id fact) {
    if (!reached[fact]) queue.push_back(fact);
    reached[fact] = true;
  };
  const auto fire = [&](Id op) {
    monitor.check_short();
    order.push_back(op);
    for (const RelaxedNetwork::Add& add : network.adds[op]) reach(add.fact);
  };
  for_each_true_fact(task, network, task.initial_state.data(), reach);
  std::ranges::for_each(network.free, fire);
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (Id op : network.readers[queue[next]])
      if (--waiting[op] == 0) fire(op);
  for (std::size_t op = 0; op < network.operators(); ++op)
    if (waiting[op] > 0) order.push_back(static_cast<Id>(op));
  return order;
}

RelaxedNetwork put_in_order(const Task& task, const RelaxedNetwork& network, Monitor& monitor) {
  RelaxedNetwork result = network;
  result.is_in_order = true;
  result.preconditions = {};
  result.costs.clear();
  NumberedLists distinct;
  std::vector<Id> cost_and_preconditions, renamed(network.operators());
  for (Id op : firing_order(task, network, monitor)) {
    monitor.check_short();
    const auto preconditions = network.preconditions[op];
    cost_and_preconditions.assign(1, network.costs[op]);
    cost_and_preconditions.insert(cost_and_preconditions.end(), preconditions.begin(), preconditions.end());
    renamed[op] = static_cast<Id>(distinct.number(cost_and_preconditions));
    if (distinct.lists().size() == result.operators()) continue;
    result.preconditions.append(preconditions);
    result.costs.push_back(network.costs[op]);
  }
  for (Id& op : result.operator_of)
    if (op >= 0) op = renamed[op];
  connect(result, monitor);
  return result;
}

}  // namespace

RelaxedNetwork::RelaxedNetwork(const Task& task, CostType cost_type, Monitor& monitor) {
  NetworkBuilder(task, cost_type, *this, monitor).build();
}

std::shared_ptr<const RelaxedNetwork> RelaxedNetwork::of(const Task& task, CostType cost_type, Monitor& monitor) {
  return task.shared.get<RelaxedNetwork>(static_cast<int>(cost_type), monitor,
                                         [&] { return RelaxedNetwork(task, cost_type, monitor); });
}

std::shared_ptr<const RelaxedNetwork> RelaxedNetwork::in_order(const Task& task, CostType cost_type, Monitor& monitor) {
  const std::shared_ptr<const RelaxedNetwork> network = of(task, cost_type, monitor);
  if (network->is_in_order) return network;
  return task.shared.renew<RelaxedNetwork>(static_cast<int>(cost_type), monitor, [&](auto made) {
    return made->is_in_order ? made : std::make_shared<const RelaxedNetwork>(put_in_order(task, *made, monitor));
  });
}

}  // namespace banditplan
