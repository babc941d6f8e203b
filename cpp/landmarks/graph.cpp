#include "landmarks/graph.hpp"

#include <algorithm>
#include <tuple>

#include "landmarks/backchaining.hpp"
#include "landmarks/reasonable.hpp"

namespace banditplan {

namespace {

/// A set of facts that contains every landmark of the relaxation, ascending: what one relaxed plan needs or adds.
std::vector<Id> facts_of_relaxed_plan(const Task& task, const Ways& ways, const Reachability& reachability) {
  std::vector<Id> facts;
  std::vector<char> known(task.facts.size(), false), applied(ways.starts.size() - 1, false);
  auto add = [&](Id fact) {
    if (!known[fact]) facts.push_back(fact);
    known[fact] = true;
  };
  for (Id fact : task.goal) add(fact);
  for (std::size_t next = 0; next < facts.size(); ++next) {
    const Id way = reachability.supporter(facts[next]);
    if (way < 0) continue;
    for (Id fact : ways.needs[way]) add(fact);
    applied[ways.owners[way]] = true;
  }
  for (std::size_t owner = 0; owner < applied.size(); ++owner)
    for (std::size_t way = ways.starts[owner]; applied[owner] && way < ways.starts[owner + 1]; ++way)
      for (Id fact : ways.adds[way]) add(fact);
  std::ranges::sort(facts);
  return facts;
}

std::vector<Id> fact_landmarks(const Task& task, const Ways& ways, Reachability& reachability) {
  std::vector<Id> result = task.goal;
  if (std::ranges::all_of(task.goal, [&](Id fact) { return reachability.reachable(fact); })) {
    const std::vector<Id> candidates = facts_of_relaxed_plan(task, ways, reachability);
    for (std::size_t begin = 0; begin < candidates.size(); begin += Reachability::kLanes) {
      const std::size_t end = std::min(begin + Reachability::kLanes, candidates.size());
      std::vector<std::span<const Id>> excluded;
      for (std::size_t i = begin; i < end; ++i) excluded.push_back({&candidates[i], 1});
      const std::vector<Reachability::Lanes> reached = reachability.run(excluded);
      Reachability::Lanes solved = ~Reachability::Lanes{0};
      for (Id fact : task.goal) solved &= reached[fact];
      for (std::size_t i = begin; i < end; ++i)
        if ((solved >> (i - begin) & 1) == 0) result.push_back(candidates[i]);
    }
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

void keep_strongest_orders(LandmarkGraph& graph) {
  std::ranges::sort(graph.orders, [](const LandmarkOrder& x, const LandmarkOrder& y) {
    return std::tie(x.from, x.to, y.kind) < std::tie(y.from, y.to, x.kind);
  });
  auto same = [](const LandmarkOrder& x, const LandmarkOrder& y) { return x.from == y.from && x.to == y.to; };
  graph.orders.erase(std::unique(graph.orders.begin(), graph.orders.end(), same), graph.orders.end());
}

LandmarkGraph find_landmarks(const Task& task, bool complete, Monitor& monitor) {
  if (!task.solvable) {
    LandmarkGraph graph;
    graph.reachable = false;
    return graph;
  }
  const Ways ways(task);
  Reachability reachability(task, ways, monitor);
  const std::vector<Id> seeds = complete ? fact_landmarks(task, ways, reachability) : std::vector<Id>();
  LandmarkGraph graph = chain_backwards(task, ways, reachability, seeds, monitor);
  add_reasonable_orders(task, ways, monitor, graph);
  return graph;
}

std::vector<Id> find_fact_landmarks(const Task& task, Monitor& monitor) {
  const Ways ways(task);
  Reachability reachability(task, ways, monitor);
  return fact_landmarks(task, ways, reachability);
}

}  // namespace banditplan
