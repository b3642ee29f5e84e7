#pragma once

#if defined(__x86_64__)

#include <algorithm>

#include "avx512_math.h"

// What norms do with the pixels of an image, 16 channels at a time. `Value` reads, rounds and
// writes 16 values of the image's dtype.

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace sdbench::kernels {

/// Pixels whose sums are fp32, before they join the others in fp64.
inline constexpr std::int64_t kPixelsAtOnce = 64;

SDBENCH_AVX512_INLINE void add_to(double* sums, __m512 values) {
  const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(values));
  const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(values, 1));
  _mm512_storeu_pd(sums, _mm512_add_pd(_mm512_loadu_pd(sums), low));
  _mm512_storeu_pd(sums + 8, _mm512_add_pd(_mm512_loadu_pd(sums + 8), high));
}

/// `kVectors` times 16 channels, from `channel` on, of `count` pixels.
template <typename Value, int kVectors>
__attribute__((target("avx512f,avx512dq"))) void
add_up_channels(const PixelSums& s, const std::byte* pixels, std::int64_t count,
                std::int64_t channel) {
  const std::int64_t stride = s.channels * Value::kBytes;
  const std::byte* from = pixels + channel * Value::kBytes;
  __m512 origin[kVectors]; // NOLINT: registers
  __m512 sum[kVectors];    // NOLINT
  __m512 square[kVectors]; // NOLINT
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    origin[v] = _mm512_loadu_ps(s.origin + channel + v * kColumns);
    sum[v] = _mm512_setzero_ps();
    square[v] = _mm512_setzero_ps();
  }
  for (std::int64_t pixel = 0; pixel < count; ++pixel, from += stride) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const __m512 x = _mm512_sub_ps(Value::load(from + v * kColumns * Value::kBytes), origin[v]);
      sum[v] = _mm512_add_ps(sum[v], x);
      square[v] = _mm512_fmadd_ps(x, x, square[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    add_to(s.sums + channel + v * kColumns, sum[v]);
    add_to(s.squares + channel + v * kColumns, square[v]);
  }
}

template <typename Value>
void add_up_pixels(const PixelSums& s) {
  for (std::int64_t pixel = 0; pixel < s.count; pixel += kPixelsAtOnce) {
    const std::byte* pixels = s.pixels + pixel * s.channels * Value::kBytes;
    const std::int64_t count = std::min(kPixelsAtOnce, s.count - pixel);
    std::int64_t channel = 0;
    for (; channel + 4 * kColumns <= s.channels; channel += 4 * kColumns) {
      add_up_channels<Value, 4>(s, pixels, count, channel);
    }
    for (; channel < s.channels; channel += kColumns) {
      add_up_channels<Value, 1>(s, pixels, count, channel);
    }
  }
}

/// x / (1 + e^-x).
template <typename Value>
SDBENCH_AVX512_INLINE __m512 silu(__m512 x) {
  constexpr float kMinusLog2OfE = -1.44269504F;
  const __m512 power = Value::power(_mm512_mul_ps(x, _mm512_set1_ps(kMinusLog2OfE)));
  return _mm512_div_ps(x, _mm512_add_ps(_mm512_set1_ps(1), power));
}

template <typename Value, bool kSilu>
__attribute__((target("avx512f,avx512dq"))) void scale_values(const PixelScaling& s) {
  const std::byte* from = s.pixels;
  std::byte* to = s.to;
  for (std::int64_t pixel = 0; pixel < s.count; ++pixel) {
    for (std::int64_t channel = 0; channel < s.channels; channel += kColumns) {
      __m512 x = _mm512_sub_ps(Value::load(from), _mm512_loadu_ps(s.mean + channel));
      x = _mm512_fmadd_ps(x, _mm512_loadu_ps(s.scale + channel),
                          _mm512_loadu_ps(s.shift + channel));
      if constexpr (kSilu) {
        x = silu<Value>(x);
      }
      Value::store(to, x);
      from += kColumns * Value::kBytes;
      to += kColumns * Value::kBytes;
    }
  }
}

template <typename Value>
void scale_pixels(const PixelScaling& s) {
  if (s.silu) {
    scale_values<Value, true>(s);
  } else {
    scale_values<Value, false>(s);
  }
}

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#endif
