#pragma once

#include <span>

#include "ids.hpp"

namespace banditplan {

inline std::uint64_t hash_ids(std::span<const Id> ids) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull;
  for (Id id : ids) {
    hash = (hash ^ static_cast<std::uint32_t>(id)) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace banditplan
