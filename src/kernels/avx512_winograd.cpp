#include "avx512_product.h"
#include "winograd.h"

#if defined(__x86_64__)

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels {
namespace {

/// Four values to four points (the transpose of Lavin and Gray's B).
SDBENCH_AVX512_INLINE void four_to_points(__m512& a, __m512& b, __m512& c, __m512& d) {
  const __m512 first = _mm512_sub_ps(a, c);
  const __m512 second = _mm512_add_ps(b, c);
  const __m512 third = _mm512_sub_ps(c, b);
  d = _mm512_sub_ps(b, d);
  a = first;
  b = second;
  c = third;
}

/// Three taps to four points (their G).
SDBENCH_AVX512_INLINE void three_to_points(__m512 a, __m512 b, __m512 c,
                                           __m512* points) { // NOLINT: registers
  const __m512 half = _mm512_set1_ps(0.5F);
  const __m512 half_b = _mm512_mul_ps(half, b);
  const __m512 outer = _mm512_add_ps(a, c);
  points[0] = a;
  points[1] = _mm512_fmadd_ps(half, outer, half_b);
  points[2] = _mm512_fmsub_ps(half, outer, half_b);
  points[3] = c;
}

} // namespace

__attribute__((target("avx512f,avx512dq"))) void to_points(const PatchToPoints& patch) {
  for (std::int64_t c = 0; c < patch.channels; c += kColumns) {
    __m512 v[4][4]; // NOLINT: registers
#pragma GCC unroll 4
    for (std::int64_t x = 0; x < 4; ++x) {
#pragma GCC unroll 4
      for (std::int64_t y = 0; y < 4; ++y) {
        v[y][x] = _mm512_loadu_ps(patch.pixels[static_cast<std::size_t>(4 * y + x)] + c);
      }
      four_to_points(v[0][x], v[1][x], v[2][x], v[3][x]);
    }
#pragma GCC unroll 4
    for (std::int64_t y = 0; y < 4; ++y) {
      four_to_points(v[y][0], v[y][1], v[y][2], v[y][3]);
#pragma GCC unroll 4
      for (std::int64_t x = 0; x < 4; ++x) {
        _mm512_storeu_ps(patch.to + (4 * y + x) * patch.point_stride + c, v[y][x]);
      }
    }
  }
}

__attribute__((target("avx512f,avx512dq"))) void to_points(const TapsToPoints& taps) {
  for (std::int64_t k = 0; k < taps.depth; ++k) {
    const float* from = taps.taps + k * kTaps * kColumns;
    __m512 columns[3][4]; // NOLINT: registers
#pragma GCC unroll 3
    for (int x = 0; x < 3; ++x) {
      three_to_points(_mm512_loadu_ps(from + x * kColumns),
                      _mm512_loadu_ps(from + (3 + x) * kColumns),
                      _mm512_loadu_ps(from + (6 + x) * kColumns), columns[x]);
    }
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) {
      __m512 points[4]; // NOLINT
      three_to_points(columns[0][y], columns[1][y], columns[2][y], points);
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) {
        _mm512_storeu_ps(taps.to + (4 * y + x) * taps.point_stride + k * kColumns, points[x]);
      }
    }
  }
}

__attribute__((target("avx512f,avx512dq"))) void to_pixels(const PointsToPixels& s) {
  __m512 columns[2][4]; // NOLINT: registers
#pragma GCC unroll 4
  for (int x = 0; x < 4; ++x) {
    __m512 v[4]; // NOLINT
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) {
      v[y] = _mm512_loadu_ps(s.sums + (4 * y + x) * s.point_stride);
    }
    columns[0][x] = _mm512_add_ps(_mm512_add_ps(v[0], v[1]), v[2]);
    columns[1][x] = _mm512_sub_ps(_mm512_sub_ps(v[1], v[2]), v[3]);
  }
  const __mmask16 outputs = lanes(0, s.count);
  const __m512 bias = _mm512_maskz_loadu_ps(outputs, s.bias);
#pragma GCC unroll 2
  for (std::size_t y = 0; y < 2; ++y) {
    const __m512 middle = _mm512_add_ps(columns[y][1], bias);
    if (s.to[2 * y] != nullptr) {
      const __m512 left = _mm512_add_ps(_mm512_add_ps(columns[y][0], middle), columns[y][2]);
      _mm512_mask_storeu_ps(s.to[2 * y], outputs, left);
    }
    if (s.to[2 * y + 1] != nullptr) {
      const __m512 right = _mm512_sub_ps(_mm512_sub_ps(middle, columns[y][2]), columns[y][3]);
      _mm512_mask_storeu_ps(s.to[2 * y + 1], outputs, right);
    }
  }
}

void multiply_rows(const Product& product, std::int64_t rows) {
  multiply_rows<AddFp32>(product, rows);
}

static_assert(kTileRows == kRowsAtOnce);

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#else

#include "sdbench/core/error.h"

namespace sdbench::kernels {
namespace {

[[noreturn]] void refuse() {
  throw Error("Winograd's form of convolutions must be of an x86-64 build");
}

} // namespace

void to_points(const PatchToPoints&) {
  refuse();
}

void to_points(const TapsToPoints&) {
  refuse();
}

void to_pixels(const PointsToPixels&) {
  refuse();
}

void multiply_rows(const Product&, std::int64_t) {
  refuse();
}

} // namespace sdbench::kernels

#endif
