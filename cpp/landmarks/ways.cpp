#include "landmarks/ways.hpp"

#include <algorithm>

namespace banditplan {

namespace {

class WaysBuilder {
 public:
  WaysBuilder(const Task& task, Ways& ways) : task_(task), ways_(ways), negated_(negated_facts(task)) {}

  void build() {
    const std::size_t owners = task_.actions() + task_.axioms();
    ways_.needs.reserve(owners, task_.preconditions.total() + task_.axiom_bodies.total());
    ways_.adds.reserve(owners, task_.effects.total() + task_.axioms());
    ways_.starts.push_back(0);
    for (std::size_t a = 0; a < task_.actions(); ++a) add_action(static_cast<Id>(a));
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      adds_.assign(1, task_.axiom_heads[x]);
      add_way(static_cast<Id>(task_.actions() + x), task_.axiom_bodies[x], {});
      ways_.starts.push_back(ways_.size());
    }
    ways_.achievers = Lists<Id>::inverse(ways_.adds, task_.facts.size(), [](Id fact) { return fact; });
  }

 private:
  /// Effects with equal conditions share a way.
  void add_action(Id action) {
    auto condition = [&](const Effect& effect) { return task_.conditions[effect.condition]; };
    const auto effects = task_.effects[action];
    sorted_.assign(effects.begin(), effects.end());
    if (std::ranges::any_of(sorted_, [](const Effect& effect) { return effect.condition != 0; }))
      std::ranges::stable_sort(sorted_, [&](const Effect& x, const Effect& y) {
        return std::ranges::lexicographical_compare(condition(x), condition(y));
      });
    for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      const auto shared = condition(sorted_[begin]);
      adds_.clear();
      while (end < sorted_.size() && std::ranges::equal(shared, condition(sorted_[end])))
        add_fact_and_negations(sorted_[end++].fact);
      add_way(action, task_.preconditions[action], shared);
    }
    ways_.starts.push_back(ways_.size());
  }

  /// Setting a variable also makes true that it has none of the other values.
  void add_fact_and_negations(Id fact) {
    adds_.push_back(fact);
    const Fact& f = task_.facts[fact];
    for (Id other : negated_[f.variable])
      if (task_.facts[other].value != f.value) adds_.push_back(other);
  }

  void add_way(Id owner, std::span<const Id> needs, std::span<const Id> condition) {
    needs_.assign(needs.begin(), needs.end());
    needs_.insert(needs_.end(), condition.begin(), condition.end());
    make_set(needs_);
    make_set(adds_);
    ways_.needs.append(needs_);
    ways_.adds.append(adds_);
    ways_.owners.push_back(owner);
    ways_.conditional.push_back(!condition.empty());
  }

  static void make_set(std::vector<Id>& facts) {
    if (!std::ranges::is_sorted(facts)) std::ranges::sort(facts);
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  }

  const Task& task_;
  Ways& ways_;
  Lists<Id> negated_;
  std::vector<Effect> sorted_;
  std::vector<Id> needs_, adds_;
};

}  // namespace

Ways::Ways(const Task& task) { WaysBuilder(task, *this).build(); }

bool surely_adds(const Task& task, const Ways& ways, Id way, Id fact) {
  if (ways.conditional[way]) return false;
  const auto owner = static_cast<std::size_t>(ways.owners[way]);
  if (owner >= task.actions()) return true;
  // Later effects overrule earlier ones: it is enough to know what may come after the last effect that is sure.
  const Fact& f = task.facts[fact];
  bool sure = false;
  for (const Effect& effect : task.effects[owner]) {
    const Fact& set = task.facts[effect.fact];
    if (set.variable != f.variable) continue;
    if ((set.value == f.value) == f.negated)
      sure = false;
    else if (task.conditions[effect.condition].empty())
      sure = true;
  }
  return sure;
}

}  // namespace banditplan
