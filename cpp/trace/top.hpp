#pragma once

#include "open_lists/tree.hpp"

namespace banditplan {

/// At most `most` nodes, those of `first` and what is above them before all others, and then by the number of leaves
/// under them. A parent comes before its children.
std::vector<NodeId> top(const Tree& tree, std::span<const NodeId> first, std::size_t most);

}  // namespace banditplan
