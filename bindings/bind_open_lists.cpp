#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "open_lists/alternation.hpp"
#include "open_lists/epsilon_list.hpp"
#include "open_lists/fifo_list.hpp"
#include "open_lists/greedy_list.hpp"
#include "open_lists/preferred_list.hpp"
#include "open_lists/softmin_list.hpp"
#include "open_lists/tree_list.hpp"
#include "open_lists/type_list.hpp"
#include "open_lists/weighted_list.hpp"
#include "options.hpp"
#include "python_bandit.hpp"
#include "python_heuristic.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

constexpr Names<SumTies, 2> kSumTies{{{SumTies::fifo, "fifo"}, {SumTies::h, "h"}}};
constexpr const char* kOrder = "What states are ordered by.";

OpenListPointer to_open_list(nb::handle value) { return nb::cast<OpenListPointer>(value); }

std::int64_t natural(nb::handle value, const char* what) {
  const auto number = nb::cast<std::int64_t>(value);
  if (number < 0 || number > 1'000'000'000)
    throw nb::value_error((std::string(what) + " must be from 0 to 1000000000").c_str());
  return number;
}
std::int64_t boost_from(nb::handle value) { return natural(value, "boost"); }
std::int64_t collapse_from(nb::handle value) {
  if (!nb::isinstance<nb::str>(value)) return natural(value, "collapse");
  if (nb::cast<std::string>(value) != "depth") throw nb::value_error("collapse must be a number or 'depth'");
  return TreeList::kDepth;
}
nb::object shown_collapse(const std::int64_t& collapse) {
  return collapse == TreeList::kDepth ? nb::object(nb::str("depth")) : nb::object(nb::int_(collapse));
}
std::int64_t budget_from(nb::handle value) { return natural(value, "budget"); }

/// An open list without a search, with a random generator of its own.
class PyFrontier {
 public:
  PyFrontier(const OpenList& list, std::uint64_t seed) : random_(seed), space_(task_, CostType::plan, true) {
    if (list.has_tree()) throw nb::value_error("a tree grows by expansions: see grow()");
    list.add_to(columns_);
    frontier_ = list.bind(columns_, space_);
    expansion_.columns = columns_.heuristics().size();
  }

  void push(Id state, Value h, std::int64_t g, bool preferred) {
    if (state < 0 || h < 0 || g < 0) throw nb::value_error("a state, its h and its g must not be negative");
    while (space_.size() <= index(state)) space_.add({}, 0);
    space_.move(StateId{state}, {}, g);
    space_.reopen(StateId{state});
    expansion_.children = {{.state = StateId{state}, .preferred = preferred}};
    expansion_.values.assign(expansion_.columns, h);
    frontier_->push(expansion_);
  }

  Id pop() {
    const StateId state = frontier_->pop(random_, space_);
    if (state == kNoState) throw nb::index_error("the open list is empty");
    space_.close(state);
    return static_cast<Id>(state);
  }

 private:
  Random random_;
  Task task_;  // of which nobody asks anything
  SearchSpace space_;
  Columns columns_;
  std::unique_ptr<Frontier> frontier_;
  Expansion expansion_;
};

}  // namespace

void bind_open_lists(nb::module_& module) {
  nb::class_<PyFrontier>(module, "Frontier", "An open list at work, for small experiments and tests.")
      .def("push", &PyFrontier::push, "state"_a, "h"_a, "g"_a = 0, "preferred"_a = false,
           "States are named by small numbers; h is what all heuristics say.")
      .def("pop", &PyFrontier::pop, "The state that comes next; raises IndexError if there is none.");
  nb::class_<OpenList>(module, "OpenList", "Which of the states that wait is expanded next.")
      .def(
          "frontier", [](const OpenList& list, std::uint64_t seed) { return std::make_unique<PyFrontier>(list, seed); },
          "seed"_a = 0, "An empty open list, without a search.");

  Component<GreedyList, OpenList>(module, "GreedyList", "greedy",
                                  "The smallest value first (Doran and Michie 1966); where there are several "
                                  "heuristics, each decides among states that are equal to those before it.")
      .list("heuristics", &GreedyList::heuristics, kHeuristicType, kOrder, &to_heuristic, true)
      .choice("ties", &GreedyList::ties, kTies,
              "Which state comes first among equals: the oldest, the youngest, or any.")
      .draws([](const GreedyList& list) { return list.ties == Ties::random; })
      .done();
  Component<WeightedList, OpenList>(module, "WeightedList", "weighted",
                                    "The smallest g + weight · h first (Pohl 1970).")
      .option("heuristic", &WeightedList::heuristic, kHeuristicType, kOrder, &to_heuristic)
      .option("weight", &WeightedList::weight, "float", "Of h.", &weight_from)
      .choice("ties", &WeightedList::ties, kSumTies,
              "Which state comes first among equals: the oldest, or the one with the smallest h.")
      .done();
  Component<TypeList, OpenList>(module, "TypeList", "type",
                                "A draw: a pair of h and g, then one of its states (Xie et al. 2014).")
      .option("heuristic", &TypeList::heuristic, kHeuristicType, kOrder, &to_heuristic)
      .draws()
      .done();
  Component<SoftminList, OpenList>(module, "SoftminList", "softmin",
                                   "A draw: an h by softmin, then a g, then one of the states (Kuroiwa and Beck 2022).")
      .option("heuristic", &SoftminList::heuristic, kHeuristicType, kOrder, &to_heuristic)
      .option("temperature", &SoftminList::temperature, "float", "The larger, the less a small h is favoured.",
              &temperature_from)
      .draws()
      .done();
  Component<EpsilonList, OpenList>(module, "EpsilonList", "epsilon",
                                   "Now and then any state, else the smallest h (Valenzano et al. 2014).")
      .option("heuristic", &EpsilonList::heuristic, kHeuristicType, kOrder, &to_heuristic)
      .option("epsilon", &EpsilonList::epsilon, "float", "The probability of a uniform draw from all open states.",
              &epsilon_from)
      .draws()
      .done();
  Component<FifoList, OpenList>(module, "FifoList", "fifo", "The oldest first (Moore 1959).").done();
  Component<TreeList, OpenList>(module, "TreeList", "tree",
                                "A tree whose nodes are bandits: the leaf to which their choices lead "
                                "(Schulte and Keller 2014; Wissow and Asai 2024).")
      .list("heuristics", &TreeList::heuristics, kHeuristicType,
            "What is minimised; before it, what ranks: only children that lead to the least rank are offered to the "
            "bandit.",
            &to_heuristic, true, TreeList::kMostHeuristics)
      .option("bandit", &TreeList::bandit, kBanditType,
              "How a child is chosen: a bandit, or a function from arms to scores, of which the lowest wins.",
              &to_bandit)
      .option("backup", &TreeList::backup, "Backup", "What the leaves under a node say about its value.")
      .option("preferred", &TreeList::preferred, "bool",
              "Whether to choose among children reached by preferred operators, where there are any.")
      .option("bilevel", &TreeList::bilevel, "bool",
              "Whether to go on from the leaf with a small best-first search before anything is carried back (Asai "
              "2026): selection costs next to nothing then, however deep the tree is.")
      .option("budget", &TreeList::budget, "int",
              "The expansions of that small search; 0: as many as the leaf is deep.", &budget_from)
      .option("collapse", &TreeList::collapse, "int | typing.Literal['depth']",
              "The children of a leaf take its place if its parent has fewer children than that then, or than the leaf "
              "is deep: trees stay flat. 0: never.",
              &collapse_from, &shown_collapse)
      .draws()
      .done();
  Component<PreferredList, OpenList>(
      module, "PreferredList", "preferred",
      "An open list for the children that preferred operators lead to, and no others (Richter and Helmert 2009).")
      .option("list", &PreferredList::list, "OpenList", "Where they wait.", &to_open_list)
      .done();
  Component<Alternation, OpenList>(module, "Alternation", "alternation",
                                   "Open lists that take turns; every state waits in all of them (Röger and Helmert "
                                   "2010).")
      .list("lists", &Alternation::lists, "OpenList", "Those that take turns, the first one first.", &to_open_list)
      .option(
          "boost", &Alternation::boost, "int",
          "So many turns more for lists of preferred children whenever a heuristic finds a smaller value than ever.",
          &boost_from)
      .done();
}
