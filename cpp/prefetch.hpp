#pragma once

#include <cstddef>

namespace banditplan {

/// Memory that will be read soon. MSVC has no such builtin; it does without.
inline void prefetch([[maybe_unused]] const void* memory) {
#if defined(__GNUC__)
  __builtin_prefetch(memory);
#endif
}

/// The same of an array: all cache lines of it.
template <class T>
void prefetch(const T* begin, std::size_t count) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t i = 0; i < count; i += kLine) prefetch(begin + i);
}

}  // namespace banditplan
