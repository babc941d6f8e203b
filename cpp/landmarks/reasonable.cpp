#include "landmarks/reasonable.hpp"

#include <algorithm>

#include "landmarks/mutexes.hpp"

namespace banditplan {

namespace {

class ReasonableOrders {
 public:
  ReasonableOrders(const Task& task, const Ways& ways, LandmarkGraph& graph)
      : task_(task), ways_(ways), graph_(graph), mutexes_(task), excluded_(task.facts.size(), -1) {
    std::vector<std::vector<Id>> parents(graph.size()), needed_for(graph.size());
    for (const LandmarkOrder& order : graph.orders) {
      parents[order.to].push_back(order.from);
      if (order.kind == OrderKind::greedy_necessary) needed_for[order.from].push_back(order.to);
    }
    for (std::size_t l = 0; l < graph.size(); ++l) {
      parents_.append(parents[l]);
      needed_for_.append(needed_for[l]);
      find_companions(l);
    }
  }

  void run(Monitor& monitor) {
    std::vector<LandmarkOrder> found;
    for (std::size_t l = 0; l < graph_.size(); ++l) {
      monitor.check();
      if (graph_.disjunctive(l)) continue;
      const auto landmark = static_cast<Id>(l);
      const Id fact = graph_.facts[l][0];
      mutexes_.for_each(fact, [&](Id other) { excluded_[other] = landmark; });
      collect_candidates(landmark);
      for (Id other : candidates_)
        if (other != landmark && !graph_.disjunctive(other) && interferes(other, landmark))
          found.push_back({other, landmark, OrderKind::reasonable});
    }
    graph_.orders.insert(graph_.orders.end(), found.begin(), found.end());
    keep_strongest_orders(graph_);
  }

 private:
  /// The facts of other variables that all achievers of a landmark surely add.
  void find_companions(std::size_t landmark) {
    std::vector<Id> common, sure, both;
    if (!graph_.disjunctive(landmark)) {
      const Id fact = graph_.facts[landmark][0];
      Id last = -1;
      for (Id achiever : ways_.achievers[fact]) {
        const Id owner = ways_.owners[achiever];
        if (owner == last) continue;
        collect_sure_adds(owner, fact, sure);
        if (last < 0) {
          common = sure;
        } else {
          both.clear();
          std::ranges::set_intersection(common, sure, std::back_inserter(both));
          common.swap(both);
        }
        last = owner;
        if (common.empty()) break;
      }
    }
    companions_.append(common);
  }

  void collect_sure_adds(Id owner, Id fact, std::vector<Id>& sure) const {
    sure.clear();
    for (std::size_t way = ways_.starts[owner]; way < ways_.starts[owner + 1]; ++way) {
      if (ways_.conditional[way]) continue;
      for (Id added : ways_.adds[way])
        if (task_.facts[added].variable != task_.facts[fact].variable &&
            surely_adds(task_, ways_, static_cast<Id>(way), added))
          sure.push_back(added);
    }
  }

  /// The landmarks that would sensibly come before the landmark if they interfere with it.
  void collect_candidates(Id landmark) {
    candidates_.clear();
    if (graph_.goal[landmark]) {
      for (std::size_t l = 0; l < graph_.size(); ++l) candidates_.push_back(static_cast<Id>(l));
      return;
    }
    known_.assign(graph_.size(), false);
    auto add = [&](Id other) {
      if (!known_[other]) candidates_.push_back(other);
      known_[other] = true;
    };
    for (Id child : needed_for_[landmark])
      for (Id parent : parents_[child])
        if (parent != landmark && !graph_.disjunctive(parent)) add(parent);
    for (std::size_t next = 0; next < candidates_.size(); ++next)
      for (Id parent : parents_[candidates_[next]]) add(parent);
  }

  bool interferes(Id other, Id landmark) const {
    if (excluded_[graph_.facts[other][0]] == landmark) return true;
    return std::ranges::any_of(companions_[other], [&](Id fact) { return excluded_[fact] == landmark; });
  }

  const Task& task_;
  const Ways& ways_;
  LandmarkGraph& graph_;
  Mutexes mutexes_;
  Lists<Id> parents_;         // per landmark: what comes before it
  Lists<Id> needed_for_;      // per landmark: what it is needed for, immediately before
  Lists<Id> companions_;      // per landmark: facts that come with it
  std::vector<Id> excluded_;  // per fact: the last landmark looked at that it excludes
  std::vector<Id> candidates_;
  std::vector<char> known_;
};

}  // namespace

void add_reasonable_orders(const Task& task, const Ways& ways, Monitor& monitor, LandmarkGraph& graph) {
  ReasonableOrders(task, ways, graph).run(monitor);
}

}  // namespace banditplan
