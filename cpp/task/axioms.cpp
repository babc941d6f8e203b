#include "task/axioms.hpp"

#include <algorithm>
#include <utility>

namespace banditplan {

namespace {

/// The variables that lie between two cycles of the graph, or in one: what is left without those that nothing, and
/// those that nothing else, leads on to. `edges`: per variable, those that lead to it.
std::vector<char> between_cycles(const Lists<Id>& edges, Monitor& monitor) {
  std::vector<char> left(edges.size(), true);
  const Lists<Id> reversed = Lists<Id>::inverse(edges, edges.size(), [](Id v) { return v; });
  for (const Lists<Id>* into : {&edges, &reversed}) {
    const Lists<Id>& out_of = into == &edges ? reversed : edges;
    std::vector<Id> count(edges.size(), 0), queue;
    for (std::size_t v = 0; v < edges.size(); ++v) {
      for (Id other : (*into)[v]) count[v] += left[other];
      if (left[v] && count[v] == 0) queue.push_back(static_cast<Id>(v));
    }
    while (!queue.empty()) {
      monitor.check_short();
      const Id v = queue.back();
      queue.pop_back();
      left[v] = false;
      for (Id other : out_of[v])
        if (left[other] && --count[other] == 0) queue.push_back(other);
    }
  }
  return left;
}

}  // namespace

AxiomRules::AxiomRules(const Task& task, Monitor& monitor) {
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    const Variable& variable = task.variables[v];
    (variable.derived() ? derived : basic).push_back(static_cast<Id>(v));
    if (variable.derived()) layers = std::max(layers, static_cast<std::size_t>(variable.layer) + 1);
  }
  readers = Lists<Id>::inverse(
      task.axiom_bodies, task.facts.size(), [](Id fact) { return fact; }, [&] { monitor.check_short(); });
  negated = negated_facts(task);
  std::vector<std::vector<Id>> needs(task.variables.size());
  for (std::size_t x = 0; x < task.axioms(); ++x) {
    monitor.check_short();
    heads.push_back(task.facts[task.axiom_heads[x]].variable);
    layers_of_axioms.push_back(task.variables[heads.back()].layer);
    body_sizes.push_back(static_cast<Id>(task.axiom_bodies[x].size()));
    for (Id fact : task.axiom_bodies[x])
      if (task.variables[task.facts[fact].variable].layer == layers_of_axioms.back())
        needs[heads.back()].push_back(task.facts[fact].variable);
  }
  Lists<Id> edges;
  for (const std::vector<Id>& each : needs) edges.append(each);
  recursive = between_cycles(edges, monitor);
}

AxiomEvaluator::AxiomEvaluator(const Task& task, Monitor& monitor) : task_(task) {
  if (!empty()) rules_ = task.shared.get<AxiomRules>(0, monitor, [&] { return AxiomRules(task, monitor); });
}

void AxiomEvaluator::evaluate(Id* state) {
  if (empty()) return;
  if (values_.empty()) {
    values_.assign(state, state + task_.variables.size());
    begin();
  } else {
    for (Id v : rules_->basic)
      if (values_[v] != state[v]) change(v, state[v]);
  }
  for (std::size_t layer = 0; layer < rules_->layers; ++layer)
    if (!started_[layer].empty() || !stopped_[layer].empty()) settle(layer);
  std::copy(values_.begin(), values_.end(), state);
}

/// Everything derived is false, and nothing has followed from the other values yet.
void AxiomEvaluator::begin() {
  missing_ = rules_->body_sizes;
  firing_.assign(task_.variables.size(), 0);
  is_removed_.assign(task_.variables.size(), false);
  started_.resize(rules_->layers);
  stopped_.resize(rules_->layers);
  for (std::size_t x = 0; x < missing_.size(); ++x)
    if (missing_[x] == 0) started_[rules_->layers_of_axioms[x]].push_back(static_cast<Id>(x));
  for (Id v : rules_->derived) values_[v] = 1;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    gain(task_.variables[v].first_fact + values_[v]);
    for (Id fact : rules_->negated[v])
      if (task_.facts[fact].value != values_[v]) gain(fact);
  }
}

void AxiomEvaluator::change(Id variable, Id value) {
  const Id before = std::exchange(values_[variable], value);
  lose(task_.variables[variable].first_fact + before);
  gain(task_.variables[variable].first_fact + value);
  for (Id fact : rules_->negated[variable]) {
    if (task_.facts[fact].value == value) lose(fact);
    if (task_.facts[fact].value == before) gain(fact);
  }
}

/// Gives the variables of the stratum their values; those of lower ones have theirs.
void AxiomEvaluator::settle(std::size_t layer) {
  std::vector<Id>&started = started_[layer], &stopped = stopped_[layer];
  for (std::size_t i = 0; i < stopped.size(); ++i) {
    const Id head = rules_->heads[stopped[i]];
    --firing_[head];
    if (values_[head] == 0 && (rules_->recursive[head] || firing_[head] <= 0)) make_false(head);
  }
  // An axiom may have started and stopped again: all are counted before any of them counts.
  const std::size_t known = started.size();
  for (std::size_t i = 0; i < known; ++i) ++firing_[rules_->heads[started[i]]];
  auto derive = [&](Id head) {
    if (values_[head] != 0 && firing_[head] > 0) make_true(head);
  };
  for (std::size_t i = 0; i < known; ++i) derive(rules_->heads[started[i]]);
  for (Id head : removed_) derive(head);
  for (std::size_t i = known; i < started.size(); ++i) {
    const Id head = rules_->heads[started[i]];
    ++firing_[head];
    derive(head);
  }
  started.clear();
  stopped.clear();
  // What is false matters for higher strata alone.
  for (Id v : added_)
    if (!is_removed_[v]) lose(task_.variables[v].first_fact + 1);
  for (Id v : removed_) {
    is_removed_[v] = false;
    if (values_[v] != 0) gain(task_.variables[v].first_fact + 1);
  }
  added_.clear();
  removed_.clear();
}

void AxiomEvaluator::make_false(Id variable) {
  values_[variable] = 1;
  removed_.push_back(variable);
  is_removed_[variable] = true;
  lose(task_.variables[variable].first_fact);
}

void AxiomEvaluator::make_true(Id variable) {
  values_[variable] = 0;
  added_.push_back(variable);
  gain(task_.variables[variable].first_fact);
}

void AxiomEvaluator::gain(Id fact) {
  for (Id axiom : rules_->readers[fact])
    if (--missing_[axiom] == 0) started_[rules_->layers_of_axioms[axiom]].push_back(axiom);
}

void AxiomEvaluator::lose(Id fact) {
  for (Id axiom : rules_->readers[fact])
    if (missing_[axiom]++ == 0) stopped_[rules_->layers_of_axioms[axiom]].push_back(axiom);
}

}  // namespace banditplan
