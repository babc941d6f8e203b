#include "heuristics/relaxed_network.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace banditplan {

namespace {

/// Finds the operators of ways by their preconditions and cost. Ways wait until there is a block of them: what the
/// table has for them is fetched from memory at once, not one after the other.
class OperatorTable {
 public:
  /// Knows how many ways are to come, at least.
  OperatorTable(RelaxedNetwork& network, std::size_t ways)
      : network_(network), slots_(std::bit_ceil(std::max(needed(ways), kLeastSlots)), kEmpty) {
    hashes_.reserve(ways);
  }

  /// The next way; its operator is added to the network if there is none.
  void enter(std::span<const Id> preconditions, Id cost) {
    preconditions_.insert(preconditions_.end(), preconditions.begin(), preconditions.end());
    waiting_.push_back({hash(preconditions, cost), cost, preconditions_.size()});
    if (waiting_.size() == kBlock) flush();
  }

  /// To be called after the last way.
  void flush() {
    if (needed(network_.operators() + waiting_.size()) > slots_.size()) grow();
    for (const Waiting& way : waiting_) fetched_ ^= slots_[way.hash & mask()];
    const Id* preconditions = preconditions_.data();
    for (const Waiting& way : waiting_) {
      const Id* const end = preconditions_.data() + way.preconditions_end;
      network_.operator_of.push_back(find(way, {preconditions, end}));
      preconditions = end;
    }
    waiting_.clear();
    preconditions_.clear();
  }

 private:
  static constexpr std::size_t kBlock = 32, kLeastSlots = 1024;
  static constexpr Id kEmpty = -1;

  struct Waiting {
    std::uint32_t hash;
    Id cost;
    std::size_t preconditions_end;
  };

  /// Slots: a third of them stay empty.
  static std::size_t needed(std::size_t operators) { return operators + operators / 2; }

  static std::uint32_t hash(std::span<const Id> preconditions, Id cost) {
    std::uint64_t hash = static_cast<std::uint64_t>(cost) * 0x9e3779b97f4a7c15ull;
    for (Id fact : preconditions) hash = (hash ^ static_cast<std::uint64_t>(fact)) * 0xff51afd7ed558ccdull;
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }

  std::size_t mask() const { return slots_.size() - 1; }

  Id find(const Waiting& way, std::span<const Id> preconditions) {
    std::size_t at = way.hash & mask();
    for (; slots_[at] != kEmpty; at = (at + 1) & mask()) {
      const Id op = slots_[at];
      if (hashes_[op] == way.hash && network_.costs[op] == way.cost &&
          std::ranges::equal(network_.preconditions[op], preconditions))
        return op;
    }
    slots_[at] = static_cast<Id>(network_.operators());
    hashes_.push_back(way.hash);
    network_.preconditions.append(preconditions);
    network_.costs.push_back(way.cost);
    return slots_[at];
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::size_t op = 0; op < hashes_.size(); ++op) {
      std::size_t at = hashes_[op] & mask();
      while (slots_[at] != kEmpty) at = (at + 1) & mask();
      slots_[at] = static_cast<Id>(op);
    }
  }

  RelaxedNetwork& network_;
  std::vector<Id> slots_;              // operators
  std::vector<std::uint32_t> hashes_;  // per operator
  std::vector<Waiting> waiting_;
  std::vector<Id> preconditions_;  // of those that wait, one after the other
  Id fetched_ = 0;                 // means nothing: what is read must be used
};

Lists<Id> lists_by_fact(const Lists<Id>& facts, std::size_t count, Monitor& monitor) {
  return Lists<Id>::inverse(facts, count, [](Id fact) { return fact; }, [&] { monitor.check_short(); });
}

/// Facts with the operators that wait for them.
void connect(RelaxedNetwork& network, Monitor& monitor) {
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
    network_.adds = adds();
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
    OperatorTable operators(network_, ways);
    network_.preconditions.reserve(ways, task_.preconditions.total());
    network_.costs.reserve(ways);
    network_.operator_of.reserve(ways);
    network_.action_of.reserve(ways);
    network_.action_costs.reserve(task_.actions());
    way_adds_.reserve(ways, task_.effects.total());
    for (std::size_t a = 0; a < task_.actions(); ++a) add_action(static_cast<Id>(a), operators);
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      needs_ = task_.axiom_bodies[x];
      adds_.clear();
      if (!needs(task_.axiom_heads[x])) adds_.push_back(task_.axiom_heads[x]);
      add_way(-1, 0, operators);
    }
    operators.flush();
  }

  Id cost_of(Id action) const {
    return static_cast<Id>(std::min<std::int64_t>(action_cost(task_, cost_type_, action), kSaturated));
  }

  /// Effects with equal conditions share a way.
  void add_action(Id action, OperatorTable& operators) {
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
      add_way(action, network_.action_costs.back(), operators);
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
  void add_way(Id action, Id cost, OperatorTable& operators) {
    monitor_.check_short();
    if (cost == 0) network_.has_free_ways = true;
    operators.enter(needs_, cost);
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
    const Id op = network_.operator_of[way];
    return std::ranges::any_of(earlier, [&](Id other_way) {
      const Id other = network_.operator_of[other_way];
      return other == op || ((signature[other] & ~signature[op]) == 0 && network_.costs[other] <= network_.costs[op] &&
                             std::ranges::includes(network_.preconditions[op], network_.preconditions[other]));
    });
  }

  /// Those that achieve something.
  void keep_useful_operators() {
    std::vector<Id> renamed(network_.operators(), -1);
    for (Id way : network_.achievers.items()) renamed[network_.operator_of[way]] = 0;
    if (std::ranges::find(renamed, -1) == renamed.end()) return;
    network_.preconditions.filter([&](std::size_t op) {
      monitor_.check_short();
      return renamed[op] == 0;
    });
    Id kept = 0;
    for (std::size_t op = 0; op < renamed.size(); ++op) {
      if (renamed[op] < 0) continue;
      network_.costs[kept] = network_.costs[op];
      renamed[op] = kept++;
    }
    network_.costs.resize(kept);
    for (Id& op : network_.operator_of) op = renamed[op];
  }

  Lists<RelaxedNetwork::Add> adds() const {
    return Lists<RelaxedNetwork::Add>::group(network_.operators(), [&](auto&& visit) {
      for (std::size_t fact = 0; fact < network_.facts; ++fact)
        for (Id way : network_.achievers[fact]) {
          monitor_.check_short();
          visit(network_.operator_of[way], RelaxedNetwork::Add{static_cast<Id>(fact), way});
        }
    });
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
  result.adds = {};
  result.costs.clear();
  result.preconditions.reserve(network.operators(), network.preconditions.total());
  result.adds.reserve(network.operators(), network.adds.total());
  std::vector<Id> renamed(network.operators());
  for (Id op : firing_order(task, network, monitor)) {
    monitor.check_short();
    renamed[op] = static_cast<Id>(result.operators());
    result.preconditions.append(network.preconditions[op]);
    result.adds.append(network.adds[op]);
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
