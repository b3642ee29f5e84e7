#pragma once

#if defined(__x86_64__)

#include <cstdint>

#include <immintrin.h>

#include "kit.h"

// A vector of 16 fp32 in AVX-512 F and DQ, for vector_*.h.

#define SDBENCH_VECTOR avx512                                      // NOLINT: a namespace
#define SDBENCH_TARGET __attribute__((target("avx512f,avx512dq"))) // NOLINT
#define SDBENCH_INLINE SDBENCH_TARGET __attribute__((always_inline)) static inline // NOLINT

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels::avx512 {

using Vector = __m512;
using Mask = __mmask16;
inline constexpr std::int64_t kWidth = 16;

/// How many panels a product computes fastest. With 8 rows of a, 3 panels need 24 of the 32
/// registers for sums and 3 for vectors of b.
inline constexpr std::int64_t kPanelsAtOnce = 3;

[[nodiscard]] constexpr RowSteps row_steps(std::int64_t /*across*/) {
  return {8, 8};
}

SDBENCH_INLINE Vector load(const float* from) {
  return _mm512_loadu_ps(from);
}

SDBENCH_INLINE void store(float* to, Vector x) {
  _mm512_storeu_ps(to, x);
}

SDBENCH_INLINE Vector all(float value) {
  return _mm512_set1_ps(value);
}

/// Mask of the lanes below `count`, which may be negative or exceed the number of lanes.
SDBENCH_INLINE Mask first_lanes(std::int64_t count) {
  return count >= kWidth ? static_cast<Mask>(0xFFFF)
                         : static_cast<Mask>(count <= 0 ? 0 : (1U << count) - 1U);
}

/// Loads the lanes that `where` selects. The other lanes are zero, and their memory is not touched.
SDBENCH_INLINE Vector load(const float* from, Mask where) {
  return _mm512_maskz_loadu_ps(where, from);
}

SDBENCH_INLINE void store(float* to, Vector x, Mask where) {
  _mm512_mask_storeu_ps(to, where, x);
}

SDBENCH_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}

/// The greater value of each lane; that of b if one of the two is NaN.
SDBENCH_INLINE Vector greater(Vector a, Vector b) {
  return _mm512_max_ps(a, b);
}

/// True in lanes where a and b differ or one of them is NaN.
SDBENCH_INLINE Mask differ(Vector a, Vector b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ);
}

SDBENCH_INLINE bool any(Mask mask) {
  return mask != 0;
}

SDBENCH_INLINE Vector select(Mask where, Vector there, Vector elsewhere) {
  return _mm512_mask_mov_ps(elsewhere, where, there);
}

/// x minus its floor; 0 if x is infinite.
SDBENCH_INLINE Vector fraction(Vector x) {
  return _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/// x * 2^floor(y), also if the result is below the range of normal numbers.
SDBENCH_INLINE Vector scale_by_power(Vector x, Vector y) {
  return _mm512_scalef_ps(x, y);
}

/// Adds the value of each lane to the lane's fp64 sum.
SDBENCH_INLINE void add_to(double* sums, Vector values) {
  const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(values));
  const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(values, 1));
  _mm512_storeu_pd(sums, _mm512_add_pd(_mm512_loadu_pd(sums), low));
  _mm512_storeu_pd(sums + 8, _mm512_add_pd(_mm512_loadu_pd(sums + 8), high));
}

/// Transposes v, a matrix of kWidth vectors: first each block of 4x4, then the blocks.
SDBENCH_INLINE void transpose(Vector* v) { // NOLINT: registers
  __m512 quarters[kWidth];                 // NOLINT
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    const __m512d low = _mm512_castps_pd(_mm512_unpacklo_ps(v[i], v[i + 1]));
    const __m512d high = _mm512_castps_pd(_mm512_unpackhi_ps(v[i], v[i + 1]));
    const __m512d next_low = _mm512_castps_pd(_mm512_unpacklo_ps(v[i + 2], v[i + 3]));
    const __m512d next_high = _mm512_castps_pd(_mm512_unpackhi_ps(v[i + 2], v[i + 3]));
    quarters[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, next_low));
    quarters[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, next_low));
    quarters[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high, next_high));
    quarters[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high, next_high));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512 even = _mm512_shuffle_f32x4(quarters[i], quarters[i + 4], 0x88);
    const __m512 odd = _mm512_shuffle_f32x4(quarters[i], quarters[i + 4], 0xDD);
    const __m512 next_even = _mm512_shuffle_f32x4(quarters[i + 8], quarters[i + 12], 0x88);
    const __m512 next_odd = _mm512_shuffle_f32x4(quarters[i + 8], quarters[i + 12], 0xDD);
    v[i] = _mm512_shuffle_f32x4(even, next_even, 0x88);
    v[i + 4] = _mm512_shuffle_f32x4(odd, next_odd, 0x88);
    v[i + 8] = _mm512_shuffle_f32x4(even, next_even, 0xDD);
    v[i + 12] = _mm512_shuffle_f32x4(odd, next_odd, 0xDD);
  }
}

} // namespace sdbench::kernels::avx512

#pragma GCC diagnostic pop

#endif
