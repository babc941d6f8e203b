#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "ground/ground.hpp"
#include "ground/instantiate.hpp"
#include "ground/reachability.hpp"
#include "ground/wire.hpp"
#include "outside.hpp"
#include "task_handle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

[[noreturn]] void raise(const char* module, const char* exception, const std::string& text) {
  PyErr_SetString(nb::module_::import_(module).attr(exception).ptr(), text.c_str());
  throw nb::python_error();
}

std::string missing_cost(const MissingCost& missing, const LiftedTask& task,
                         const std::vector<std::string>& functions) {
  std::string text = "the initial state gives no value to (" + functions[missing.function];
  for (Id object : missing.arguments) text += ' ' + task.objects[object];
  return text + "), which is the cost of a reachable action; add it to :init";
}

/// A normalised task but for its costs.
LiftedTask lifted_task(std::vector<std::string> objects, std::vector<std::vector<Id>> domains,
                       std::vector<std::string> predicates, const std::vector<Id>& arities,
                       const std::vector<std::string>& action_names, std::size_t axioms,
                       std::vector<std::vector<Id>> init) {
  LiftedTask lifted;
  lifted.objects = std::move(objects);
  lifted.domains = std::move(domains);
  for (std::size_t p = 0; p < predicates.size(); ++p)
    lifted.predicates.push_back({std::move(predicates[p]), arities[p]});
  lifted.actions.resize(action_names.size());
  for (std::size_t a = 0; a < action_names.size(); ++a) lifted.actions[a].name = action_names[a];
  lifted.axioms.resize(axioms);
  lifted.init = std::move(init);
  return lifted;
}

/// Does the work without the GIL and within the limits; raises LimitReached.
template <class Work>
void within_limits(std::optional<double> deadline, std::optional<std::size_t> memory_limit_kb, const Work& work) {
  Outside outside(deadline, memory_limit_kb, std::nullopt);
  std::optional<Stop> stop;
  {
    nb::gil_scoped_release release;
    try {
      work(outside.monitor);
    } catch (const Stopped& stopped) {
      stop = stopped.reason;
    } catch (const std::bad_alloc&) {
      stop = Stop::memory;
    }
  }
  outside.raise_if_failed();
  if (stop) raise("banditplan.limits", "LimitReached", *stop == Stop::time ? "time-limit" : "memory-limit");
}

PyTask ground_task(std::vector<std::string> objects, std::vector<std::vector<Id>> domains,
                   std::vector<std::string> predicates, const std::vector<Id>& arities,
                   const std::vector<std::string>& action_names, std::size_t axioms, const std::vector<Id>& schemas,
                   std::vector<std::vector<Id>> init, const std::vector<std::string>& functions,
                   std::vector<Id> function_arities, std::vector<std::vector<Id>> function_values, bool unit_cost,
                   bool prune_mutex, bool keep_irrelevant, bool replaceable, std::optional<double> deadline,
                   std::optional<std::size_t> memory_limit_kb) {
  LiftedTask lifted = lifted_task(std::move(objects), std::move(domains), std::move(predicates), arities, action_names,
                                  axioms, std::move(init));
  lifted.functions = std::move(function_values);
  lifted.function_arities = std::move(function_arities);
  lifted.unit_cost = unit_cost;
  read_schemas(schemas, lifted);

  std::optional<MissingCost> missing;
  TaskHandle data;
  within_limits(deadline, memory_limit_kb, [&](Monitor& monitor) {
    try {
      std::optional<Coverage> coverage;
      if (replaceable) coverage.emplace();
      Task task = ground(lifted, {prune_mutex, keep_irrelevant}, monitor, coverage ? &*coverage : nullptr);
      data = std::make_shared<TaskData>(std::move(task), std::move(coverage));
    } catch (const MissingCost& m) {
      missing = m;
    }
  });
  if (missing) raise("banditplan.errors", "InputError", missing_cost(*missing, lifted, functions));
  return {std::move(data), nb::none()};
}

/// Per predicate: the arguments of its atoms, back to back, as they are given for the initial state.
std::vector<std::vector<Id>> reachable_atoms(std::vector<std::string> objects, std::vector<std::vector<Id>> domains,
                                             std::vector<std::string> predicates, const std::vector<Id>& arities,
                                             const std::vector<std::string>& action_names, std::size_t axioms,
                                             const std::vector<Id>& schemas, std::vector<std::vector<Id>> init,
                                             std::vector<Id> function_arities, std::optional<double> deadline,
                                             std::optional<std::size_t> memory_limit_kb) {
  LiftedTask lifted = lifted_task(std::move(objects), std::move(domains), std::move(predicates), arities, action_names,
                                  axioms, std::move(init));
  lifted.function_arities = std::move(function_arities);
  read_schemas(schemas, lifted);
  std::vector<std::vector<Id>> atoms;
  within_limits(deadline, memory_limit_kb, [&](Monitor& monitor) {
    const Reachable reachable = explore(lifted, monitor);
    for (std::size_t p = 0; p < lifted.predicates.size(); ++p) {
      const Relation& relation = reachable.database.relations[p];
      const bool holds_alone = relation.arity() == 0 && relation.size() > 0;
      atoms.push_back(holds_alone ? std::vector<Id>{1} : relation.data());
    }
  });
  return atoms;
}

}  // namespace

void bind_ground(nb::module_& module) {
  module.def("ground", &ground_task, "objects"_a, "domains"_a, "predicates"_a, "arities"_a, "action_names"_a,
             "axioms"_a, "schemas"_a, "init"_a, "functions"_a, "function_arities"_a, "function_values"_a, "unit_cost"_a,
             "prune_mutex"_a, "keep_irrelevant"_a, "replaceable"_a, "deadline"_a.none(), "memory_limit_kb"_a.none(),
             "Grounds a normalised task; see `grounding.py` for the encoding.");
  module.def("reachable_atoms", &reachable_atoms, "objects"_a, "domains"_a, "predicates"_a, "arities"_a,
             "action_names"_a, "axioms"_a, "schemas"_a, "init"_a, "function_arities"_a, "deadline"_a.none(),
             "memory_limit_kb"_a.none(),
             "The atoms of each predicate that can be reached if deletes and negative conditions do not count.");
}
