#pragma once

#include <algorithm>

#include "vector_math.h"

// Sums and scaling of an image's pixels for norms, one vector of channels at a time. `Value` reads,
// rounds and writes a vector of the image's dtype.

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// Number of pixels summed in fp32 before the sums are added in fp64.
inline constexpr std::int64_t kPixelsAtOnce = 64;

/// Sums up `count` pixels in `kVectors` vectors of channels, from `channel` on.
template <typename Value, int kVectors>
SDBENCH_TARGET void add_up_channels(const PixelSums& s, const std::byte* pixels, std::int64_t count,
                                    std::int64_t channel) {
  const std::int64_t stride = s.channels * Value::kBytes;
  const std::byte* from = pixels + channel * Value::kBytes;
  Vector origin[kVectors]; // NOLINT: registers
  Vector sum[kVectors];    // NOLINT
  Vector square[kVectors]; // NOLINT
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    origin[v] = load(s.origin + channel + v * kWidth);
    sum[v] = all(0);
    square[v] = all(0);
  }
  for (std::int64_t pixel = 0; pixel < count; ++pixel, from += stride) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const Vector x = Value::read(from + v * kWidth * Value::kBytes) - origin[v];
      sum[v] = sum[v] + x;
      square[v] = multiply_add(x, x, square[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    add_to(s.sums + channel + v * kWidth, sum[v]);
    add_to(s.squares + channel + v * kWidth, square[v]);
  }
}

template <typename Value>
void add_up_pixels(const PixelSums& s) {
  for (std::int64_t pixel = 0; pixel < s.count; pixel += kPixelsAtOnce) {
    const std::byte* pixels = s.pixels + pixel * s.channels * Value::kBytes;
    const std::int64_t count = std::min(kPixelsAtOnce, s.count - pixel);
    std::int64_t channel = 0;
    for (; channel + 4 * kWidth <= s.channels; channel += 4 * kWidth) {
      add_up_channels<Value, 4>(s, pixels, count, channel);
    }
    for (; channel < s.channels; channel += kWidth) {
      add_up_channels<Value, 1>(s, pixels, count, channel);
    }
  }
}

/// x / (1 + e^-x).
template <typename Value>
SDBENCH_INLINE Vector silu(Vector x) {
  constexpr float kMinusLog2OfE = -1.44269504F;
  const Vector power = Value::power(x * all(kMinusLog2OfE));
  return x / (all(1) + power);
}

template <typename Value, bool kSilu>
SDBENCH_TARGET void scale_values(const PixelScaling& s) {
  const std::byte* from = s.pixels;
  std::byte* to = s.to;
  for (std::int64_t pixel = 0; pixel < s.count; ++pixel) {
    for (std::int64_t channel = 0; channel < s.channels; channel += kWidth) {
      Vector x = Value::read(from) - load(s.mean + channel);
      x = multiply_add(x, load(s.scale + channel), load(s.shift + channel));
      if constexpr (kSilu) {
        x = silu<Value>(x);
      }
      Value::write(to, x);
      from += kWidth * Value::kBytes;
      to += kWidth * Value::kBytes;
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

} // namespace sdbench::kernels::SDBENCH_VECTOR

#pragma GCC diagnostic pop
