#include "avx512_vector.h" // first: the headers below use its vectors

#if defined(__x86_64__)

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kit.h"
#include "vector_gate.h"
#include "vector_math.h"
#include "vector_pixels.h"
#include "vector_product.h"

// GCC 12 warns of what its own headers leave undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels::avx512 {
namespace {

/// Adds products of two bf16 in each dword. In assembler, so that a template compiled for AVX-512 F
/// can contain it: a function that needs more instruction sets than its caller is never inlined.
struct AddBf16 {
  SDBENCH_INLINE void to(__m512& sum, __m512 left, __m512 right) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(left), "v"(right)); // NOLINT
  }
};

/// The upper half of an fp32. Rounds in assembler, like the product above.
struct Bf16 {
  static constexpr std::int64_t kBytes = 2;
  SDBENCH_INLINE __m512 read(const std::byte* from) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); // NOLINT
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
  SDBENCH_INLINE void write(std::byte* to, __m512 x) {
    __m256i rounded;
    asm("vcvtneps2bf16 %1, %0" : "=v"(rounded) : "v"(x));         // NOLINT
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), rounded); // NOLINT
  }
  SDBENCH_INLINE __m512 power(__m512 x) { return rough_power_of_two(x); }
};

/// Updates a row's largest score with `scores`, and scales its sum and answers to match. Returns
/// what to subtract from each scaled score: the largest, or 0 if every score is -inf.
SDBENCH_INLINE float raise_largest(const Scores& s, std::int64_t row, const float* scores) {
  __m512 most = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  std::int64_t i = 0;
  for (; i + kColumns <= s.keys; i += kColumns) {
    most = _mm512_max_ps(most, _mm512_loadu_ps(scores + i));
  }
  most = _mm512_mask_max_ps(most, first_lanes(s.keys - i), most, _mm512_loadu_ps(scores + i));
  const float before = s.largest[row];
  const float here = _mm512_reduce_max_ps(most) * s.scale;
  const float now = here > before ? here : before;
  if (now != before) {
    const __m512 factor = power_of_two(_mm512_set1_ps(before - now));
    s.largest[row] = now;
    s.sum[row] *= _mm512_cvtss_f32(factor);
    float* answer = s.answers + row * s.answer_width;
    for (std::int64_t n = 0; n < s.answer_width; n += kColumns) {
      _mm512_storeu_ps(answer + n, _mm512_mul_ps(_mm512_loadu_ps(answer + n), factor));
    }
  }
  return now == -std::numeric_limits<float>::infinity() ? 0.0F : now;
}

/// Writes 32 weights, a tile's row, from two vectors of powers. Returns their sum.
__attribute__((target("avx512f,avx512dq,avx512bf16"), always_inline)) inline __m512
write_weights(std::byte* to, __m512 low, __m512 high) {
  const __m512bh rounded = _mm512_cvtne2ps_pbh(high, low);
  _mm512_storeu_si512(to, reinterpret_cast<const __m512i&>(rounded)); // NOLINT: vectors may alias
  return _mm512_add_ps(low, high);
}

} // namespace

__attribute__((target("avx512f,avx512dq,avx512bf16"))) void weigh_bf16(const Scores& s) {
  const __m512 scale = _mm512_set1_ps(s.scale);
  for (std::int64_t row = 0; row < s.rows; ++row) {
    const float* scores = s.scores + row * s.stride;
    const __m512 largest = _mm512_set1_ps(raise_largest(s, row, scores));
    const auto weight = [&](std::int64_t i)
        __attribute__((target("avx512f,avx512dq,avx512bf16"), always_inline)) {
      return rough_power_of_two(_mm512_fmsub_ps(_mm512_loadu_ps(scores + i), scale, largest));
    };
    std::byte* weights = s.weights + row * s.weights_stride;
    __m512 sum = _mm512_setzero_ps();
    std::int64_t i = 0;
    for (; i + 2 * kColumns <= s.keys; i += 2 * kColumns) {
      sum = _mm512_add_ps(sum, write_weights(weights + i * 2, weight(i), weight(i + kColumns)));
    }
    if (i < s.keys) {
      const __m512 low = _mm512_maskz_mov_ps(first_lanes(s.keys - i), weight(i));
      const __m512 high =
          _mm512_maskz_mov_ps(first_lanes(s.keys - i - kColumns), weight(i + kColumns));
      sum = _mm512_add_ps(sum, write_weights(weights + i * 2, low, high));
    }
    s.sum[row] += _mm512_reduce_add_ps(sum);
  }
}

void add_up_bf16(const PixelSums& sums) {
  add_up_pixels<Bf16>(sums);
}

void scale_bf16(const PixelScaling& scaling) {
  scale_pixels<Bf16>(scaling);
}

void gate_bf16(const Gating& gating) {
  gate_values<Bf16>(gating);
}

namespace {

constexpr Kit kBf16Kit{.values_per_dword = 2,
                       .panels_at_once = kPanelsAtOnce,
                       .begin = need_nothing,
                       .end = need_nothing,
                       .multiply = multiply_vectors<AddBf16>,
                       .weigh = weigh_bf16,
                       .add_up = add_up_bf16,
                       .scale = scale_bf16,
                       .gate = gate_bf16};

} // namespace
} // namespace sdbench::kernels::avx512

namespace sdbench::kernels {

const Kit kAvx512Bf16Kit = avx512::kBf16Kit;

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#endif
