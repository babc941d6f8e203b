#pragma once

#include "landmarks/graph.hpp"
#include "landmarks/ways.hpp"

namespace banditplan {

/// Adds the reasonable orders (Hoffmann, Porteous and Sebastia 2004, "Ordered landmarks in planning") to a graph that
/// has the others: A before L if A interferes with L, and L is a goal, or L is needed immediately before a landmark
/// that comes after A, too.
void add_reasonable_orders(const Task& task, const Ways& ways, Monitor& monitor, LandmarkGraph& graph);

}  // namespace banditplan
