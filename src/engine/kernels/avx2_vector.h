#pragma once

#if defined(__x86_64__)

#include <cstdint>

#include <immintrin.h>

#include "kit.h"

// A vector of 8 fp32 in AVX2 with FMA, for vector_*.h.

#define SDBENCH_VECTOR avx2                                // NOLINT: a namespace
#define SDBENCH_TARGET __attribute__((target("avx2,fma"))) // NOLINT
#define SDBENCH_INLINE SDBENCH_TARGET __attribute__((always_inline)) static inline // NOLINT

namespace sdbench::kernels::avx2 {

using Vector = __m256;
using Mask = __m256i; ///< all bits of a lane are equal
inline constexpr std::int64_t kWidth = 8;

/// How many panels a product computes fastest. One panel has two vectors of b. With 6 rows of a,
/// they need 12 of the 16 registers for sums.
inline constexpr std::int64_t kPanelsAtOnce = 1;

[[nodiscard]] constexpr RowSteps row_steps(std::int64_t across) {
  return across > 2 ? RowSteps{2, 2} : RowSteps{6, 4};
}

SDBENCH_INLINE Vector load(const float* from) {
  return _mm256_loadu_ps(from);
}

SDBENCH_INLINE void store(float* to, Vector x) {
  _mm256_storeu_ps(to, x);
}

SDBENCH_INLINE Vector all(float value) {
  return _mm256_set1_ps(value);
}

/// Mask of the lanes below `count`, which may be negative or exceed the number of lanes.
SDBENCH_INLINE Mask first_lanes(std::int64_t count) {
  const std::int64_t within = count < 0 ? 0 : count > kWidth ? kWidth : count;
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(within)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// Loads the lanes that `where` selects. The other lanes are zero, and their memory is not touched.
SDBENCH_INLINE Vector load(const float* from, Mask where) {
  return _mm256_maskload_ps(from, where);
}

SDBENCH_INLINE void store(float* to, Vector x, Mask where) {
  _mm256_maskstore_ps(to, where, x);
}

SDBENCH_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}

/// The greater value of each lane; that of b if one of the two is NaN.
SDBENCH_INLINE Vector greater(Vector a, Vector b) {
  return _mm256_max_ps(a, b);
}

/// True in lanes where a and b differ or one of them is NaN.
SDBENCH_INLINE Mask differ(Vector a, Vector b) {
  return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_NEQ_UQ));
}

SDBENCH_INLINE bool any(Mask mask) {
  return _mm256_testz_si256(mask, mask) == 0;
}

SDBENCH_INLINE Vector select(Mask where, Vector there, Vector elsewhere) {
  return _mm256_blendv_ps(elsewhere, there, _mm256_castsi256_ps(where));
}

inline constexpr int kExponentBias = 127;

/// Clamps an exponent of two to a range whose ends give the power 0 and infinity. NaN stays NaN,
/// because x is the second operand of both instructions.
SDBENCH_INLINE Vector as_power(Vector x) {
  return _mm256_min_ps(all(kExponentBias + 1), _mm256_max_ps(all(-kExponentBias), x));
}

/// as_power(x) minus its floor.
SDBENCH_INLINE Vector fraction(Vector x) {
  return _mm256_sub_ps(as_power(x), _mm256_floor_ps(as_power(x)));
}

/// x * 2^floor(y). 0 if 2^floor(y) is below the range of normal numbers.
SDBENCH_INLINE Vector scale_by_power(Vector x, Vector y) {
  constexpr int kMantissaBits = 23;
  const __m256i exponent = _mm256_cvtps_epi32(_mm256_floor_ps(as_power(y)));
  const __m256i power = _mm256_slli_epi32(
      _mm256_add_epi32(exponent, _mm256_set1_epi32(kExponentBias)), kMantissaBits);
  return _mm256_mul_ps(x, _mm256_castsi256_ps(power));
}

/// Adds the value of each lane to the lane's fp64 sum.
SDBENCH_INLINE void add_to(double* sums, Vector values) {
  const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(values));
  const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(values, 1));
  _mm256_storeu_pd(sums, _mm256_add_pd(_mm256_loadu_pd(sums), low));
  _mm256_storeu_pd(sums + 4, _mm256_add_pd(_mm256_loadu_pd(sums + 4), high));
}

/// Transposes v, a matrix of kWidth vectors: first each block of 4x4, then the blocks.
SDBENCH_INLINE void transpose(Vector* v) { // NOLINT: registers
  __m256 quarters[kWidth];                 // NOLINT
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    const __m256d low = _mm256_castps_pd(_mm256_unpacklo_ps(v[i], v[i + 1]));
    const __m256d high = _mm256_castps_pd(_mm256_unpackhi_ps(v[i], v[i + 1]));
    const __m256d next_low = _mm256_castps_pd(_mm256_unpacklo_ps(v[i + 2], v[i + 3]));
    const __m256d next_high = _mm256_castps_pd(_mm256_unpackhi_ps(v[i + 2], v[i + 3]));
    quarters[i] = _mm256_castpd_ps(_mm256_unpacklo_pd(low, next_low));
    quarters[i + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low, next_low));
    quarters[i + 2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high, next_high));
    quarters[i + 3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high, next_high));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm256_permute2f128_ps(quarters[i], quarters[i + 4], 0x20);
    v[i + 4] = _mm256_permute2f128_ps(quarters[i], quarters[i + 4], 0x31);
  }
}

} // namespace sdbench::kernels::avx2

#endif
