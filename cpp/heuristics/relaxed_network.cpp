#include "heuristics/relaxed_network.hpp"

#include <algorithm>
#include <unordered_map>

namespace banditplan {

namespace {

/// A way before it has found its operator.
struct Way {
  Id action = -1;
  Id cost = 0;
  std::vector<Id> preconditions;
  std::vector<Id> adds;
};

class Builder {
 public:
  Builder(const Task& task, CostType cost_type, RelaxedNetwork& network)
      : task_(task), cost_type_(cost_type), network_(network) {}

  void build() {
    network_.facts = task_.facts.size();
    collect_negated_facts();
    for (std::size_t a = 0; a < task_.actions(); ++a) add_action(static_cast<Id>(a));
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      const auto body = task_.axiom_bodies[x];
      add_way({-1, 0, {body.begin(), body.end()}, {task_.axiom_heads[x]}});
    }
    find_achievers();
    keep_useful_operators();
    network_.readers = Lists<Id>::inverse(network_.preconditions, network_.facts, [](Id fact) { return fact; });
    for (std::size_t op = 0; op < network_.operators(); ++op)
      if (network_.preconditions[op].empty()) network_.free.push_back(static_cast<Id>(op));
  }

 private:
  void collect_negated_facts() {
    network_.negated = negated_facts(task_);
    for (const Variable& variable : task_.variables)
      if (variable.derived()) network_.granted.push_back(variable.first_fact + 1);
  }

  Id cost_of(Id action) const {
    return static_cast<Id>(std::min<std::int64_t>(action_cost(task_, cost_type_, action), kSaturated));
  }

  /// Effects with equal conditions share a way.
  void add_action(Id action) {
    network_.action_costs.push_back(cost_of(action));
    const auto effects = task_.effects[action];
    auto condition = [&](const Effect& effect) { return task_.conditions[effect.condition]; };
    sorted_.assign(effects.begin(), effects.end());
    if (std::ranges::any_of(sorted_, [](const Effect& effect) { return effect.condition != 0; }))
      std::ranges::stable_sort(sorted_, [&](const Effect& x, const Effect& y) {
        return std::ranges::lexicographical_compare(condition(x), condition(y));
      });
    for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      const auto precondition = task_.preconditions[action];
      Way way{action, network_.action_costs.back(), {precondition.begin(), precondition.end()}, {}};
      const auto shared = condition(sorted_[begin]);
      way.preconditions.insert(way.preconditions.end(), shared.begin(), shared.end());
      while (end < sorted_.size() && std::ranges::equal(shared, condition(sorted_[end])))
        add_fact_and_negations(sorted_[end++].fact, way.adds);
      add_way(std::move(way));
    }
  }

  /// Setting a variable also makes true that it has none of the other values.
  void add_fact_and_negations(Id fact, std::vector<Id>& adds) const {
    adds.push_back(fact);
    const Fact& f = task_.facts[fact];
    for (Id other : network_.negated[f.variable])
      if (task_.facts[other].value != f.value) adds.push_back(other);
  }

  void add_way(Way way) {
    std::ranges::sort(way.preconditions);
    way.preconditions.erase(std::unique(way.preconditions.begin(), way.preconditions.end()), way.preconditions.end());
    // A fact that the way needs is not news.
    std::erase_if(way.adds, [&](Id fact) { return std::ranges::binary_search(way.preconditions, fact); });
    if (way.cost == 0) network_.has_free_ways = true;
    network_.operator_of.push_back(find_operator(way));
    network_.action_of.push_back(way.action);
    way_adds_.append(way.adds);
  }

  Id find_operator(const Way& way) {
    std::uint64_t hash = static_cast<std::uint64_t>(way.cost) * 0x9e3779b97f4a7c15ull;
    for (Id fact : way.preconditions) hash = (hash ^ static_cast<std::uint64_t>(fact)) * 0xff51afd7ed558ccdull;
    auto [first, last] = by_hash_.equal_range(hash);
    for (; first != last; ++first)
      if (network_.costs[first->second] == way.cost &&
          std::ranges::equal(network_.preconditions[first->second], way.preconditions))
        return first->second;
    const auto op = static_cast<Id>(network_.operators());
    network_.preconditions.append(way.preconditions);
    network_.costs.push_back(way.cost);
    by_hash_.emplace(hash, op);
    return op;
  }

  /// Per fact that somebody reads, the ways that add it and are not dominated by an earlier one.
  void find_achievers() {
    const Lists<Id> all = Lists<Id>::inverse(way_adds_, network_.facts, [](Id fact) { return fact; });
    std::vector<char> read(network_.facts, false);
    for (Id fact : task_.goal) read[fact] = true;
    for (std::size_t op = 0; op < network_.operators(); ++op)
      for (Id fact : network_.preconditions[op]) read[fact] = true;
    std::vector<std::uint64_t> signature(network_.operators(), 0);
    for (std::size_t op = 0; op < network_.operators(); ++op)
      for (Id fact : network_.preconditions[op]) signature[op] |= std::uint64_t{1} << (fact & 63);
    std::vector<Id> kept;
    for (std::size_t fact = 0; fact < network_.facts; ++fact) {
      kept.clear();
      for (Id way : read[fact] ? all[fact] : std::span<const Id>())
        if (kept.size() > kMostCompared || !dominated(way, kept, signature)) kept.push_back(way);
      network_.achievers.append(kept);
    }
  }

  bool dominated(Id way, const std::vector<Id>& earlier, const std::vector<std::uint64_t>& signature) const {
    const Id op = network_.operator_of[way];
    return std::ranges::any_of(earlier, [&](Id other_way) {
      const Id other = network_.operator_of[other_way];
      return other == op || ((signature[other] & ~signature[op]) == 0 && network_.costs[other] <= network_.costs[op] &&
                             std::ranges::includes(network_.preconditions[op], network_.preconditions[other]));
    });
  }

  /// Gives the operators their adds; an operator without any is of no use.
  void keep_useful_operators() {
    std::vector<std::vector<RelaxedNetwork::Add>> adds(network_.operators());
    for (std::size_t fact = 0; fact < network_.facts; ++fact)
      for (Id way : network_.achievers[fact]) adds[network_.operator_of[way]].push_back({static_cast<Id>(fact), way});
    Lists<Id> preconditions;
    std::vector<Id> costs, renamed(network_.operators(), -1);
    for (Id op : firing_order(adds)) {
      if (adds[op].empty()) continue;
      renamed[op] = static_cast<Id>(costs.size());
      costs.push_back(network_.costs[op]);
      preconditions.append(network_.preconditions[op]);
      network_.adds.append(adds[op]);
    }
    network_.preconditions = std::move(preconditions);
    network_.costs = std::move(costs);
    for (Id& op : network_.operator_of) op = renamed[op];
  }

  /// The operators in the order in which they fire from the initial state, those that do not fire last: neighbours in
  /// time are neighbours in memory.
  std::vector<Id> firing_order(const std::vector<std::vector<RelaxedNetwork::Add>>& adds) const {
    const Lists<Id> readers = Lists<Id>::inverse(network_.preconditions, network_.facts, [](Id fact) { return fact; });
    std::vector<Id> order, queue;
    std::vector<char> reached(network_.facts, false);
    std::vector<std::size_t> waiting;
    auto reach = [&](Id fact) {
      if (!reached[fact]) queue.push_back(fact);
      reached[fact] = true;
    };
    auto fire = [&](Id op) {
      order.push_back(op);
      for (const RelaxedNetwork::Add& add : adds[op]) reach(add.fact);
    };
    for_each_true_fact(task_, network_, task_.initial_state.data(), reach);
    for (std::size_t op = 0; op < network_.operators(); ++op) {
      waiting.push_back(network_.preconditions[op].size());
      if (waiting.back() == 0) fire(static_cast<Id>(op));
    }
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (Id op : readers[queue[next]])
        if (--waiting[op] == 0) fire(op);
    for (std::size_t op = 0; op < network_.operators(); ++op)
      if (waiting[op] > 0) order.push_back(static_cast<Id>(op));
    return order;
  }

  static constexpr std::size_t kMostCompared = 64;

  const Task& task_;
  CostType cost_type_;
  RelaxedNetwork& network_;
  Lists<Id> way_adds_;
  std::unordered_multimap<std::uint64_t, Id> by_hash_;
  std::vector<Effect> sorted_;
};

}  // namespace

RelaxedNetwork::RelaxedNetwork(const Task& task, CostType cost_type) { Builder(task, cost_type, *this).build(); }

}  // namespace banditplan
