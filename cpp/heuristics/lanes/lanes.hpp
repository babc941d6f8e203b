// 32 lanes of unsigned 16-bit numbers. This header is compiled once per instruction set, in a namespace of its own
// (BANDITPLAN_ISA), and must use nothing that the linker could share between instruction sets.

#include <cstdint>

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace banditplan::BANDITPLAN_ISA {

// `load` takes aligned numbers; `load_pairs` 16 numbers of 32 bits, wherever they are: two lanes for each.

/// A set of lanes, a bit each.
using LaneMask = std::uint32_t;

#if defined(__AVX512BW__)

struct Lanes {
  __m512i v;
};
inline Lanes load(const std::uint16_t* p) { return {_mm512_load_si512(p)}; }
inline Lanes load_pairs(const std::int32_t* p) { return {_mm512_loadu_si512(p)}; }
inline void store(std::uint16_t* p, Lanes a) { _mm512_store_si512(p, a.v); }
inline Lanes broadcast(std::uint16_t x) { return {_mm512_set1_epi16(static_cast<short>(x))}; }
inline Lanes add_saturated(Lanes a, Lanes b) { return {_mm512_adds_epu16(a.v, b.v)}; }
inline Lanes minimum(Lanes a, Lanes b) { return {_mm512_min_epu16(a.v, b.v)}; }
inline Lanes maximum(Lanes a, Lanes b) { return {_mm512_max_epu16(a.v, b.v)}; }
inline LaneMask equal(Lanes a, Lanes b) { return _mm512_cmpeq_epi16_mask(a.v, b.v); }
/// Adds 1 in the lanes of the mask.
inline Lanes increment(Lanes a, LaneMask m) { return {_mm512_mask_add_epi16(a.v, m, a.v, _mm512_set1_epi16(1))}; }

#elif defined(__AVX2__)

struct Lanes {
  __m256i v[2];
};
inline Lanes load(const std::uint16_t* p) {
  const auto* q = reinterpret_cast<const __m256i*>(p);
  return {{_mm256_load_si256(q), _mm256_load_si256(q + 1)}};
}
inline Lanes load_pairs(const std::int32_t* p) {
  const auto* q = reinterpret_cast<const __m256i*>(p);
  return {{_mm256_loadu_si256(q), _mm256_loadu_si256(q + 1)}};
}
inline void store(std::uint16_t* p, Lanes a) {
  auto* q = reinterpret_cast<__m256i*>(p);
  _mm256_store_si256(q, a.v[0]);
  _mm256_store_si256(q + 1, a.v[1]);
}
inline Lanes broadcast(std::uint16_t x) {
  const __m256i y = _mm256_set1_epi16(static_cast<short>(x));
  return {{y, y}};
}
inline Lanes add_saturated(Lanes a, Lanes b) {
  return {{_mm256_adds_epu16(a.v[0], b.v[0]), _mm256_adds_epu16(a.v[1], b.v[1])}};
}
inline Lanes minimum(Lanes a, Lanes b) {
  return {{_mm256_min_epu16(a.v[0], b.v[0]), _mm256_min_epu16(a.v[1], b.v[1])}};
}
inline Lanes maximum(Lanes a, Lanes b) {
  return {{_mm256_max_epu16(a.v[0], b.v[0]), _mm256_max_epu16(a.v[1], b.v[1])}};
}
inline LaneMask equal(Lanes a, Lanes b) {
  const __m256i low = _mm256_cmpeq_epi16(a.v[0], b.v[0]);
  const __m256i high = _mm256_cmpeq_epi16(a.v[1], b.v[1]);
  // Packing works within halves of 128 bits; the permutation restores the order of the lanes.
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
  return static_cast<LaneMask>(_mm256_movemask_epi8(bytes));
}
#define BANDITPLAN_LANES_INCREMENT_BY_LOOP

#elif defined(__SSE2__)

struct Lanes {
  __m128i v[4];
};
inline Lanes load(const std::uint16_t* p) {
  const auto* q = reinterpret_cast<const __m128i*>(p);
  return {{_mm_load_si128(q), _mm_load_si128(q + 1), _mm_load_si128(q + 2), _mm_load_si128(q + 3)}};
}
inline Lanes load_pairs(const std::int32_t* p) {
  const auto* q = reinterpret_cast<const __m128i*>(p);
  return {{_mm_loadu_si128(q), _mm_loadu_si128(q + 1), _mm_loadu_si128(q + 2), _mm_loadu_si128(q + 3)}};
}
inline void store(std::uint16_t* p, Lanes a) {
  auto* q = reinterpret_cast<__m128i*>(p);
  for (int i = 0; i < 4; ++i) _mm_store_si128(q + i, a.v[i]);
}
inline Lanes broadcast(std::uint16_t x) {
  const __m128i y = _mm_set1_epi16(static_cast<short>(x));
  return {{y, y, y, y}};
}
inline Lanes add_saturated(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = _mm_adds_epu16(a.v[i], b.v[i]);
  return a;
}
/// SSE2 has no unsigned 16-bit minimum: min(a, b) = a - saturating(a - b).
inline Lanes minimum(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = _mm_sub_epi16(a.v[i], _mm_subs_epu16(a.v[i], b.v[i]));
  return a;
}
inline Lanes maximum(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = _mm_add_epi16(b.v[i], _mm_subs_epu16(a.v[i], b.v[i]));
  return a;
}
inline LaneMask equal(Lanes a, Lanes b) {
  LaneMask mask = 0;
  for (int i = 0; i < 2; ++i) {
    const __m128i low = _mm_cmpeq_epi16(a.v[2 * i], b.v[2 * i]);
    const __m128i high = _mm_cmpeq_epi16(a.v[2 * i + 1], b.v[2 * i + 1]);
    mask |= static_cast<LaneMask>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) << (16 * i);
  }
  return mask;
}
#define BANDITPLAN_LANES_INCREMENT_BY_LOOP

#elif defined(__ARM_NEON)

struct Lanes {
  uint16x8_t v[4];
};
inline Lanes load(const std::uint16_t* p) {
  return {{vld1q_u16(p), vld1q_u16(p + 8), vld1q_u16(p + 16), vld1q_u16(p + 24)}};
}
inline Lanes load_pairs(const std::int32_t* p) {
  Lanes a;
  for (int i = 0; i < 4; ++i) a.v[i] = vreinterpretq_u16_s32(vld1q_s32(p + 4 * i));
  return a;
}
inline void store(std::uint16_t* p, Lanes a) {
  for (int i = 0; i < 4; ++i) vst1q_u16(p + 8 * i, a.v[i]);
}
inline Lanes broadcast(std::uint16_t x) {
  const uint16x8_t y = vdupq_n_u16(x);
  return {{y, y, y, y}};
}
inline Lanes add_saturated(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = vqaddq_u16(a.v[i], b.v[i]);
  return a;
}
inline Lanes minimum(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = vminq_u16(a.v[i], b.v[i]);
  return a;
}
inline Lanes maximum(Lanes a, Lanes b) {
  for (int i = 0; i < 4; ++i) a.v[i] = vmaxq_u16(a.v[i], b.v[i]);
  return a;
}
inline LaneMask equal(Lanes a, Lanes b) {
  const std::uint16_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  const uint16x8_t weights = vld1q_u16(bits);
  LaneMask mask = 0;
  for (int i = 0; i < 4; ++i)
    mask |= static_cast<LaneMask>(vaddvq_u16(vandq_u16(vceqq_u16(a.v[i], b.v[i]), weights))) << (8 * i);
  return mask;
}
#define BANDITPLAN_LANES_INCREMENT_BY_LOOP

#else

struct Lanes {
  std::uint16_t v[32];
};
inline Lanes load(const std::uint16_t* p) {
  Lanes a;
  for (int i = 0; i < 32; ++i) a.v[i] = p[i];
  return a;
}
inline Lanes load_pairs(const std::int32_t* p) {
  Lanes a;
  for (int i = 0; i < 32; ++i)
    a.v[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(p[i / 2]) >> (i % 2 * 16));
  return a;
}
inline void store(std::uint16_t* p, Lanes a) {
  for (int i = 0; i < 32; ++i) p[i] = a.v[i];
}
inline Lanes broadcast(std::uint16_t x) {
  Lanes a;
  for (int i = 0; i < 32; ++i) a.v[i] = x;
  return a;
}
inline Lanes add_saturated(Lanes a, Lanes b) {
  for (int i = 0; i < 32; ++i) {
    const auto sum = static_cast<std::uint16_t>(a.v[i] + b.v[i]);
    a.v[i] = sum < a.v[i] ? 0xffff : sum;
  }
  return a;
}
inline Lanes minimum(Lanes a, Lanes b) {
  for (int i = 0; i < 32; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
  return a;
}
inline Lanes maximum(Lanes a, Lanes b) {
  for (int i = 0; i < 32; ++i) a.v[i] = a.v[i] < b.v[i] ? b.v[i] : a.v[i];
  return a;
}
inline LaneMask equal(Lanes a, Lanes b) {
  LaneMask mask = 0;
  for (int i = 0; i < 32; ++i) mask |= static_cast<LaneMask>(a.v[i] == b.v[i]) << i;
  return mask;
}
#define BANDITPLAN_LANES_INCREMENT_BY_LOOP

#endif

#if defined(BANDITPLAN_LANES_INCREMENT_BY_LOOP)
/// Adds 1 in the lanes of the mask.
inline Lanes increment(Lanes a, LaneMask m) {
  alignas(64) std::uint16_t values[32];
  store(values, a);
  for (int i = 0; i < 32; ++i) values[i] = static_cast<std::uint16_t>(values[i] + (m >> i & 1u));
  return load(values);
}
#undef BANDITPLAN_LANES_INCREMENT_BY_LOOP
#endif

/// Whether a <= b in all lanes.
inline bool all_at_most(Lanes a, Lanes b) { return equal(minimum(a, b), a) == ~LaneMask{0}; }

}  // namespace banditplan::BANDITPLAN_ISA
