#pragma once

#include "landmarks/graph.hpp"
#include "landmarks/reachability.hpp"
#include "landmarks/ways.hpp"

namespace banditplan {

/// Landmarks and their natural and greedy-necessary orders, found backwards from the goal and `seeds`, which are facts
/// known to be landmarks.
LandmarkGraph chain_backwards(const Task& task, const Ways& ways, Reachability& reachability, std::span<const Id> seeds,
                              Monitor& monitor);

}  // namespace banditplan
