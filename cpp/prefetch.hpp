#pragma once

namespace banditplan {

/// Memory that will be read soon. MSVC has no such builtin; it does without.
inline void prefetch([[maybe_unused]] const void* memory) {
#if defined(__GNUC__)
  __builtin_prefetch(memory);
#endif
}

}  // namespace banditplan
