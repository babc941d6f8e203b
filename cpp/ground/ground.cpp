#include "ground/ground.hpp"

#include <algorithm>

#include "ground/instantiate.hpp"
#include "ground/invariants.hpp"
#include "ground/reachability.hpp"
#include "ground/simplify.hpp"
#include "ground/variables.hpp"

namespace banditplan {

Task ground(const LiftedTask& lifted, const GroundingOptions& options, Monitor& monitor) {
  const bool keep = options.keep_irrelevant;
  PropositionalTask task = simplify(instantiate(lifted, explore(lifted, monitor), monitor), {}, keep, monitor);
  Lists<Id> groups = find_mutex_groups(task, monitor);
  while (options.prune_mutex && task.solvable) {
    const std::vector<bool> violates = find_mutex_violations(task, groups, monitor);
    if (std::ranges::find(violates, true) == violates.end()) break;
    task = simplify(task, violates, keep, monitor);
    groups = find_mutex_groups(task, monitor);
  }
  return encode(task, groups, lifted, monitor);
}

}  // namespace banditplan
