#pragma once

#if defined(__x86_64__)

#include <cstdint>

#include <immintrin.h>

#include "kit.h"

// Pieces that the kits share. They are inlined into functions of at least AVX-512 F and DQ.

#define SDBENCH_AVX512_INLINE                                                                      \
  __attribute__((target("avx512f,avx512dq"), always_inline)) static inline // NOLINT

namespace sdbench::kernels {

/// The lanes of `count` values that begin at `from`; all 16 in the middle.
SDBENCH_AVX512_INLINE __mmask16 lanes(std::int64_t from, std::int64_t count) {
  const std::int64_t left = count - from;
  return left >= kColumns ? static_cast<__mmask16>(0xFFFF)
                          : static_cast<__mmask16>(left <= 0 ? 0 : (1U << left) - 1U);
}

/// 16 sums from `i` on, with their bias.
SDBENCH_AVX512_INLINE __m512 with_bias(const Sums& s, std::int64_t i) {
  const __m512 sum = _mm512_loadu_ps(s.sums + i);
  return s.bias == nullptr
             ? sum
             : _mm512_add_ps(sum, _mm512_maskz_loadu_ps(lanes(i, s.count), s.bias + i));
}

/// 2^x: the whole part goes to the exponent, the fraction to the polynomial on [0, 1] whose largest
/// relative error is least (found with the Remez exchange). NaN stays NaN; -inf gives 0.
/// 2^x to 1.5e-7 of its value. A degree more brought attention nothing.
SDBENCH_AVX512_INLINE __m512 power_of_two(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  __m512 sum = _mm512_set1_ps(0.00187757669F);
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.00898933969F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.0558263175F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.240153611F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.693153083F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.99999994F));
  return _mm512_scalef_ps(sum, x); // takes the whole part of x itself
}

/// 2^x to 7.5e-5 of its value: what is rounded to bf16 next, to 2e-3.
SDBENCH_AVX512_INLINE __m512 rough_power_of_two(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  __m512 sum = _mm512_set1_ps(0.0780245215F);
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.226067156F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.695833564F));
  sum = _mm512_fmadd_ps(sum, fraction, _mm512_set1_ps(0.999925196F));
  return _mm512_scalef_ps(sum, x);
}

} // namespace sdbench::kernels

#endif
