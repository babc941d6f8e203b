#include "task/sas.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace banditplan {

namespace {

struct Assignment {
  Id variable = 0;
  Id value = 0;
};

class SasWriter {
 public:
  explicit SasWriter(const Task& task)
      : task_(task), watchers_(task.variables.size()), watcher_of_(task.facts.size(), -1) {
    Id next = static_cast<Id>(task.variables.size());
    for (std::size_t f = static_cast<std::size_t>(task.negated_facts_begin); f < task.facts.size(); ++f) {
      const Fact& fact = task.facts[f];
      if (task.variables[fact.variable].values == 2) continue;
      watcher_of_[f] = next++;
      watched_.push_back({fact.variable, fact.value});
      watchers_[fact.variable].push_back({watcher_of_[f], fact.value});
    }
  }

  std::string text() {
    lines({"begin_version", "3", "end_version", "begin_metric", task_.unit_cost ? "0" : "1", "end_metric"});
    if (!task_.solvable || task_.goal.empty()) {
      write_trivial();
    } else {
      write_variables();
      write_mutexes();
      write_state_and_goal();
      write_operators();
      write_axioms();
    }
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + '\n'; }
  void line(std::size_t number) { line(std::to_string(number)); }
  void line(const Assignment& fact) { line(std::to_string(fact.variable) + ' ' + std::to_string(fact.value)); }
  void lines(std::initializer_list<const char*> texts) {
    for (const char* text : texts) line(text);
  }

  /// One variable that has its value already, or never gets it.
  void write_trivial() {
    lines({"1", "begin_variable", "var0", "-1", "2", "Atom dummy(val1)", "Atom dummy(val2)", "end_variable", "0",
           "begin_state", "0", "end_state", "begin_goal", "1", task_.solvable ? "0 0" : "0 1", "end_goal", "0", "0"});
  }

  /// Atom at(truck, depot); the names of facts are for people.
  std::string atom(Id fact) const {
    const std::span<const Id> name = task_.fact_names[fact];
    std::string text = task_.predicates[name[0]] + '(';
    for (std::size_t i = 1; i < name.size(); ++i) text += (i > 1 ? ", " : "") + task_.objects[name[i]];
    return text + ')';
  }

  std::string value_name(const Variable& variable, Id value) const {
    if (!task_.fact_names[variable.first_fact + value].empty()) return "Atom " + atom(variable.first_fact + value);
    return variable.values == 2 ? "NegatedAtom " + atom(variable.first_fact) : "<none of those>";
  }

  void write_variables() {
    line(task_.variables.size() + watched_.size());
    for (std::size_t v = 0; v < task_.variables.size(); ++v) {
      const Variable& variable = task_.variables[v];
      begin_variable(v, variable.layer, variable.values);
      for (Id value = 0; value < variable.values; ++value) line(value_name(variable, value));
      line("end_variable");
    }
    for (std::size_t w = 0; w < watched_.size(); ++w) {
      const Assignment& watched = watched_[w];
      const std::string name = atom(task_.variables[watched.variable].first_fact + watched.value);
      begin_variable(task_.variables.size() + w, -1, 2);
      line("Atom " + name);
      line("NegatedAtom " + name);
      line("end_variable");
    }
  }

  void begin_variable(std::size_t number, Id layer, Id values) {
    line("begin_variable");
    line("var" + std::to_string(number));
    line(std::to_string(layer));
    line(std::to_string(values));
  }

  void write_mutexes() {
    line(task_.mutexes.size() + watched_.size());
    for (std::size_t m = 0; m < task_.mutexes.size(); ++m) {
      line("begin_mutex_group");
      line(task_.mutexes[m].size());
      for (Id fact : task_.mutexes[m]) line(assignment(fact));
      line("end_mutex_group");
    }
    for (std::size_t w = 0; w < watched_.size(); ++w) {
      line("begin_mutex_group");
      line(std::size_t{2});
      line(watched_[w]);
      line(Assignment{static_cast<Id>(task_.variables.size() + w), 1});
      line("end_mutex_group");
    }
  }

  void write_state_and_goal() {
    line("begin_state");
    for (std::size_t v = 0; v < task_.variables.size(); ++v)
      line(std::to_string(task_.variables[v].derived() ? 1 : task_.initial_state[v]));  // derived: false by default
    for (const Assignment& watched : watched_) line(task_.initial_state[watched.variable] == watched.value ? "0" : "1");
    line("end_state");
    line("begin_goal");
    write_facts(task_.goal);
    line("end_goal");
  }

  void write_facts(std::span<const Id> facts) {
    line(facts.size());
    for (Id fact : facts) line(assignment(fact));
  }

  /// The fact as a value of a variable.
  Assignment assignment(Id fact) const {
    if (watcher_of_[fact] >= 0) return {watcher_of_[fact], 1};
    const Fact& f = task_.facts[fact];
    return {f.variable, f.negated ? 1 - f.value : f.value};
  }

  void write_operators() {
    line(task_.actions());
    for (std::size_t a = 0; a < task_.actions(); ++a) {
      line("begin_operator");
      line(task_.action_name(static_cast<Id>(a)));
      write_operator(a);
      line(std::to_string(task_.costs[a]));
      line("end_operator");
    }
  }

  /// Conditions on variables that the action changes stand with its effects, the others before them.
  void write_operator(std::size_t a) {
    std::vector<std::pair<Assignment, Id>> changes;  // each with the condition of its effect
    for (const Effect& effect : task_.effects[a]) {
      const Fact& fact = task_.facts[effect.fact];
      changes.push_back({{fact.variable, fact.value}, effect.condition});
      for (const Assignment& watcher : watchers_[fact.variable])
        changes.push_back({{watcher.variable, watcher.value == fact.value ? 0 : 1}, effect.condition});
    }
    const auto changed = [](const auto& change) { return change.first.variable; };
    std::vector<Assignment> prevail;
    std::vector<Assignment> before;
    for (Id fact : task_.preconditions[a]) {
      const Assignment needed = assignment(fact);
      const bool changes_it = std::ranges::find(changes, needed.variable, changed) != changes.end();
      (changes_it ? before : prevail).push_back(needed);
    }
    line(prevail.size());
    for (const Assignment& fact : prevail) line(fact);
    line(changes.size());
    for (const auto& [change, condition] : changes) {
      text_ += std::to_string(task_.conditions[condition].size());
      for (Id fact : task_.conditions[condition]) append(assignment(fact));
      const auto known = std::ranges::find(before, change.variable, &Assignment::variable);
      append({change.variable, known == before.end() ? -1 : known->value});
      line(' ' + std::to_string(change.value));
    }
  }

  void append(const Assignment& fact) {
    text_ += ' ' + std::to_string(fact.variable) + ' ' + std::to_string(fact.value);
  }

  void write_axioms() {
    line(task_.axioms());
    for (std::size_t x = 0; x < task_.axioms(); ++x) {
      line("begin_rule");
      write_facts(task_.axiom_bodies[x]);
      line(std::to_string(task_.facts[task_.axiom_heads[x]].variable) + " 1 0");
      line("end_rule");
    }
  }

  const Task& task_;
  std::string text_;
  std::vector<Assignment> watched_;                // what the further variables stand for
  std::vector<std::vector<Assignment>> watchers_;  // per variable: the further ones, with the value that each watches
  std::vector<Id> watcher_of_;                     // per fact: -1 is none
};

}  // namespace

std::string to_sas(const Task& task) { return SasWriter(task).text(); }

}  // namespace banditplan
