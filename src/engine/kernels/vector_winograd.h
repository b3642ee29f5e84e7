#pragma once

#include "vector_math.h"
#include "winograd.h"

// The functions of WinogradKit in vectors, except multiply().

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// Transforms four values to four points (the transpose of Lavin and Gray's B).
SDBENCH_INLINE void four_to_points(Vector& a, Vector& b, Vector& c, Vector& d) {
  const Vector first = a - c;
  const Vector second = b + c;
  const Vector third = c - b;
  d = b - d;
  a = first;
  b = second;
  c = third;
}

/// Transforms three taps to four points (Lavin and Gray's G).
SDBENCH_INLINE void three_to_points(Vector a, Vector b, Vector c,
                                    Vector* points) { // NOLINT: registers
  const Vector half = all(0.5F);
  const Vector half_b = half * b;
  const Vector outer = a + c;
  points[0] = a;
  points[1] = multiply_add(half, outer, half_b);
  points[2] = multiply_add(half, outer, -half_b);
  points[3] = c;
}

SDBENCH_TARGET inline void patch_to_points(const PatchToPoints& patch) {
  for (std::int64_t c = 0; c < patch.channels; c += kWidth) {
    Vector v[4][4]; // NOLINT: registers
#pragma GCC unroll 4
    for (std::int64_t x = 0; x < 4; ++x) {
#pragma GCC unroll 4
      for (std::int64_t y = 0; y < 4; ++y) {
        v[y][x] = load(patch.pixels[static_cast<std::size_t>(4 * y + x)] + c);
      }
      four_to_points(v[0][x], v[1][x], v[2][x], v[3][x]);
    }
#pragma GCC unroll 4
    for (std::int64_t y = 0; y < 4; ++y) {
      four_to_points(v[y][0], v[y][1], v[y][2], v[y][3]);
#pragma GCC unroll 4
      for (std::int64_t x = 0; x < 4; ++x) {
        store(patch.to + (4 * y + x) * patch.point_stride + c, v[y][x]);
      }
    }
  }
}

SDBENCH_TARGET inline void taps_to_points(const TapsToPoints& taps) {
  for (std::int64_t i = 0; i < taps.depth * kColumns; i += kWidth) {
    const float* from = taps.taps + i / kColumns * kTaps * kColumns + i % kColumns;
    Vector columns[3][4]; // NOLINT: registers
#pragma GCC unroll 3
    for (int x = 0; x < 3; ++x) {
      three_to_points(load(from + x * kColumns), load(from + (3 + x) * kColumns),
                      load(from + (6 + x) * kColumns), columns[x]);
    }
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) {
      Vector points[4]; // NOLINT
      three_to_points(columns[0][y], columns[1][y], columns[2][y], points);
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) {
        store(taps.to + (4 * y + x) * taps.point_stride + i, points[x]);
      }
    }
  }
}

SDBENCH_TARGET inline void points_to_pixels(const PointsToPixels& s) {
  for (std::int64_t i = 0; i < s.count; i += kWidth) {
    Vector columns[2][4]; // NOLINT: registers
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) {
      Vector v[4]; // NOLINT
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y) {
        v[y] = load(s.sums + (4 * y + x) * s.point_stride + i);
      }
      columns[0][x] = v[0] + v[1] + v[2];
      columns[1][x] = v[1] - v[2] - v[3];
    }
    const Mask outputs = first_lanes(s.count - i);
    const Vector bias = load(s.bias + i, outputs);
#pragma GCC unroll 2
    for (std::size_t y = 0; y < 2; ++y) {
      const Vector middle = columns[y][1] + bias;
      if (s.to[2 * y] != nullptr) {
        store(s.to[2 * y] + i, columns[y][0] + middle + columns[y][2], outputs);
      }
      if (s.to[2 * y + 1] != nullptr) {
        store(s.to[2 * y + 1] + i, middle - columns[y][2] - columns[y][3], outputs);
      }
    }
  }
}

} // namespace sdbench::kernels::SDBENCH_VECTOR

#pragma GCC diagnostic pop
