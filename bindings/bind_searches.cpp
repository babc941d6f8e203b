#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "options.hpp"
#include "outside.hpp"
#include "python_bandit.hpp"
#include "python_heuristic.hpp"
#include "searches/agile.hpp"
#include "searches/bfs.hpp"
#include "searches/epsilon_gbfs.hpp"
#include "searches/gbfs.hpp"
#include "searches/guct.hpp"
#include "searches/k_bfws.hpp"
#include "searches/lama_first.hpp"
#include "searches/race.hpp"
#include "searches/series.hpp"
#include "searches/softmin_type.hpp"
#include "searches/type_gbfs.hpp"
#include "searches/wastar.hpp"
#include "status.hpp"
#include "task_handle.hpp"
#include "trace/live_feed.hpp"
#include "trace/search_trace.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

using Trace = nb::typed<nb::callable, void(std::string)>;

SearchResult run(const Search& search, const PyTask& task, std::uint64_t seed,
                 std::optional<std::int64_t> max_evaluations, std::optional<std::int64_t> max_expansions,
                 std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb,
                 std::optional<Report> report, std::optional<Trace> trace, LiveFeed* feed) {
  if (trace && feed) throw std::invalid_argument("a search has one observer: give either trace or feed");
  Outside outside(deadline, memory_limit_kb, std::move(report));
  SearchTrace lines;
  SearchObserver* observer = trace ? static_cast<SearchObserver*>(&lines) : feed;
  SearchResult result;
  {
    nb::gil_scoped_release release;
    result = search.run({.task = task.data->task,
                         .monitor = outside.monitor,
                         .limits = {max_evaluations, max_expansions},
                         .seed = seed,
                         .observer = observer});
  }
  if (trace) (*trace)(lines.text(task.data->task, result, status_name(result.status)));
  outside.raise_unless_interrupted();
  return result;
}

std::vector<std::pair<std::int64_t, Id>> history(const SearchResult& result) {
  std::vector<std::pair<std::int64_t, Id>> pairs;
  for (const Improvement& improvement : result.history) pairs.emplace_back(improvement.evaluations, improvement.h);
  return pairs;
}

nb::list parts(const SearchResult& result) {
  nb::list all;
  for (const Part& part : result.parts)
    all.append(nb::make_tuple(status_name(part.status), part.evaluations, part.expansions, part.generated));
  return all;
}

constexpr Names<Graft, 3> kGrafts{{{Graft::paper, "paper"}, {Graft::strict, "strict"}, {Graft::never, "never"}}};
constexpr Names<Reopen, 3> kReopens{
    {{Reopen::never, "never"}, {Reopen::cheaper, "cheaper"}, {Reopen::as_cheap, "as-cheap"}}};
constexpr Names<GoalTest, 2> kGoalTests{{{GoalTest::generated, "generated"}, {GoalTest::expanded, "expanded"}}};

constexpr const char* kSearchCost = "What an action adds to g: 1, its cost, or its cost and 1.";
constexpr const char* kDeferred =
    "Whether a state is evaluated when it is expanded; until then it has its parent's value.";

constexpr const char* kThreads =
    "With 1, the searches take turns, and the same one decides on every machine; else so many run at once.";

SearchPointer to_search(nb::handle value) { return nb::cast<SearchPointer>(value); }

std::int64_t threads_from(nb::handle value) { return whole(value, 1, Race::kMostThreads, "threads"); }

/// What the agile searches with queues have in common; `own` adds what is special.
template <class T, class Own>
void queue_search(nb::module_& module, const char* name, const char* text, const char* doc, Own&& own) {
  Component<T, NamedSearch> component(module, name, text, doc);
  component.option("heuristic", &T::heuristic, kHeuristicType, "What is minimised.", &to_heuristic);
  own(component);
  component
      .option("preferred", &T::preferred, "bool",
              "Whether successors by preferred operators wait in open lists of their own, too, which get 1000 turns "
              "more than the others whenever a smaller h than ever is found.")
      .option("deferred", &T::deferred, "bool", kDeferred)
      .done();
}

}  // namespace

void bind_searches(nb::module_& module) {
  nb::class_<SearchResult>(module, "SearchResult", "What a search found, and what it took.")
      .def_prop_ro(
          "status", [](const SearchResult& r) { return status_name(r.status); },
          nb::sig("def status(self) -> banditplan.statuses.Status"))
      .def_ro("plan", &SearchResult::plan, "Ids of actions.")
      .def_ro("evaluations", &SearchResult::evaluations)
      .def_ro("inserted", &SearchResult::inserted, "Distinct states, evaluated or waiting for it.")
      .def_ro("expansions", &SearchResult::expansions)
      .def_ro("generated", &SearchResult::generated)
      .def_ro("dead_ends", &SearchResult::dead_ends)
      .def_ro("initial_h", &SearchResult::initial_h)
      .def_ro("best_h", &SearchResult::best_h)
      .def_prop_ro(
          "closest",
          [](const SearchResult& r) -> std::optional<std::pair<std::size_t, std::vector<Id>>> {
            if (!r.closest) return std::nullopt;
            return std::pair(r.closest->goals, r.closest->missing);
          },
          "If it is proved that there is no plan: how many facts of the goal held together at most, and the ids of "
          "those that were missing then.")
      .def_ro("remarks", &SearchResult::remarks, "What heuristics had to give up, in words.")
      .def_ro("prepare_seconds", &SearchResult::prepare_seconds,
              "Until all was ready for the first state; None: it never was.")
      .def_ro("decided_by", &SearchResult::decided_by,
              "Of a race: the number of the search that found the plan, or proved that there is none.")
      .def_prop_ro("parts", &parts, nb::sig("def parts(self) -> list[tuple[str, int, int, int]]"),
                   "Of a race: status, evaluations, expansions and generated states of each search.")
      .def_prop_ro("history", &history, "Each smaller h with the number of evaluations that it took.");

  nb::class_<Search>(module, "Search", "A search algorithm.")
      .def("run", &run, "task"_a, "seed"_a = 0, "max_evaluations"_a = nb::none(), "max_expansions"_a = nb::none(),
           "deadline"_a = nb::none(), "memory_limit_kb"_a = nb::none(), "report"_a = nb::none(), "trace"_a = nb::none(),
           "feed"_a.none() = nb::none(),
           "Searches the task without the GIL. `deadline` is a value of `time.monotonic()`; "
           "`report(evaluations, expansions, best_h)` is called now and then. `trace(text)` gets a sampled record of "
           "the search at its end, as lines of JSON.");
  Component<BestFirst, Search>(module, "BestFirst", "best_first",
                               "Expands the state that its open list names next: what all searches are.")
      .option("open", &BestFirst::open, "OpenList", "Which state is expanded next.")
      .option("deferred", &BestFirst::deferred, "bool", kDeferred)
      .option(
          "lazy", &BestFirst::lazy, "bool",
          "Whether a state is not even made before its turn comes: until then, a step from its parent waits for it, "
          "with the parent's value. Not where there is a tree, which holds states.")
      .choice("reopen", &BestFirst::reopen, kReopens,
              "When a known state takes another path, to be expanded again or, in a tree, to move with its subtree: "
              "never, if that is cheaper, or if it is as cheap, too.")
      .choice("cost", &BestFirst::cost, kCosts, kSearchCost)
      .choice("goal", &BestFirst::goal, kGoalTests,
              "Whether states are tested for the goal when they are generated, or when they are expanded.")
      .option(
          "follow", &BestFirst::follow, "bool",
          "Whether the steps of a relaxed plan are made from an expanded state, as far as they go (Vidal 2004): the "
          "states on the way become its children, too. The less that helps, the rarer it is done; in "
          "deferred and lazy searches, never.")
      .rule([](const BestFirst& search) {
        if (search.lazy && search.open->has_tree())
          throw nb::value_error("a tree holds states, and cannot wait for them: write deferred=True, not lazy=True");
      })
      .done();
  Component<Series, Search>(module, "Series", "series",
                            "Searches one after the other, until one finds a plan or proves that there is none.")
      .list("searches", &Series::searches, "Search", "In their order.", &to_search)
      .done();
  Component<Race, Search>(module, "Race", "race",
                          "Several searches on one task: the first that finds a plan, or proves that there is none, "
                          "decides.")
      .list("searches", &Race::searches, "Search", "Those that take part.", &to_search)
      .option("threads", &Race::threads, "int", kThreads, &threads_from)
      .draws([](const Race& race) { return race.threads > 1; })  // of who is first
      .done();
  nb::class_<NamedSearch, Search>(module, "NamedSearch", "A short name for a search.")
      .def_prop_ro("sentence", &NamedSearch::sentence, "The same search in full.");

  queue_search<Gbfs>(
      module, "Gbfs", "gbfs", "Greedy best-first search (Doran and Michie 1966): smallest h first.", [](auto& gbfs) {
        gbfs.choice("ties", &Gbfs::ties, kTies,
                    "Which state comes first among those with equal h: the oldest, the youngest, or any.");
      });
  queue_search<WAStar>(module, "WAStar", "wastar",
                       "Weighted A* (Pohl 1970): smallest g + weight · h first, with reopening.", [](auto& wastar) {
                         wastar.option("weight", &WAStar::weight, "float", "Of h.", &weight_from)
                             .choice("cost", &WAStar::cost, kCosts, kSearchCost);
                       });
  queue_search<SoftminType>(
      module, "SoftminType", "softmin_type",
      "Softmin-Type(h) (Kuroiwa and Beck 2022): gbfs in turn with draws of an h by softmin, then of a g.",
      [](auto& softmin) {
        softmin.option("temperature", &SoftminType::temperature, "float", "The larger, the less a small h is favoured.",
                       &temperature_from);
      });
  queue_search<TypeGbfs>(module, "TypeGbfs", "type_gbfs",
                         "Type-GBFS (Xie et al. 2014): gbfs in turn with uniform draws of a pair of h and g.",
                         [](auto&) {});
  queue_search<EpsilonGbfs>(module, "EpsilonGbfs", "epsilon_gbfs",
                            "ε-greedy search (Valenzano et al. 2014): gbfs that now and then expands any state.",
                            [](auto& greedy) {
                              greedy.option("epsilon", &EpsilonGbfs::epsilon, "float",
                                            "The probability of a uniform draw from all open states.", &epsilon_from);
                            });
  Component<AStar, NamedSearch>(module, "AStar", "astar",
                                "A* (Hart, Nilsson and Raphael 1968): a cheapest plan, if h never overestimates.")
      .option("heuristic", &AStar::heuristic, kHeuristicType, "What is added to g.", &to_heuristic)
      .choice("cost", &AStar::cost, kCosts, kSearchCost)
      .done();
  Component<Dijkstra, NamedSearch>(module, "Dijkstra", "dijkstra",
                                   "Uniform-cost search (Dijkstra 1959): a cheapest plan, without a heuristic.")
      .choice("cost", &Dijkstra::cost, kCosts, kSearchCost)
      .done();
  Component<Bfs, NamedSearch>(module, "Bfs", "bfs",
                              "Breadth-first search (Moore 1959): a plan with the fewest steps, without a heuristic.")
      .done();

  Component<KBfws, NamedSearch>(module, "KBfws", "k_bfws",
                                "k-BFWS (Lipovetzky and Geffner 2017): new states only; quick, and it may miss plans.")
      .option("width", &KBfws::width, "int", "A state is new if it has so many facts at the most that no other had.",
              &narrow_width)
      .done();
  Component<LamaFirst, NamedSearch>(module, "LamaFirst", "lama_first",
                                    "LAMA's first iteration (Richter and Westphal 2010): hFF, landmarks and preferred "
                                    "operators take turns, deferred.")
      .done();
  Component<Agile, NamedSearch>(
      module, "Agile", "agile",
      "What `solve` uses unless told otherwise: a tree of bandits, landmarks, novelty and "
      "preferred operators take turns, in a race with a greedy queue, a width search and `lama_first`.")
      .option("threads", &Agile::threads, "int", kThreads, &threads_from)
      .draws([](const Agile& agile) { return agile.threads > 1; })
      .done();
  Component<Guct, NamedSearch>(module, "Guct", "guct",
                               "A tree whose nodes are bandits (Schulte and Keller 2014; Wissow and Asai 2024).")
      .option("heuristic", &Guct::heuristic, kHeuristicType, "What is minimised.", &to_heuristic)
      .option("bandit", &Guct::bandit, kBanditType,
              "How a child is chosen: a bandit, or a function from arms to scores, of which the lowest wins.",
              &to_bandit)
      .option("backup", &Guct::backup, "Backup", "What the leaves under a node say about its value.")
      .option("preferred", &Guct::preferred, "bool",
              "Whether to choose among children reached by preferred operators, where there are any.")
      .option("deferred", &Guct::deferred, "bool", kDeferred)
      .choice("graft", &Guct::graft, kGrafts,
              "Whether a known state moves to a path that is not longer (paper), shorter (strict), or never.")
      .done();
}
