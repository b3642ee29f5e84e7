#pragma once

#include <algorithm>
#include <limits>

#include "lanes.h"
#include "vector_math.h"

// LaneKit in vectors: kAcross of them lie side by side in a row of lanes.

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// Lines of a panel that are asked for before they are needed: they come from the second cache or
/// beyond. Past the end of the panels that is an address and no more.
inline constexpr std::int64_t kAhead = 24;

/// `kRowsNow` rows. What is there joins at the end: few of the roundings are of large sums then.
template <int kRowsNow, int kAcross>
SDBENCH_TARGET void multiply_lane_rows(const float* a, const LaneProduct& p, float* c) {
  Vector sum[kRowsNow][kAcross]; // NOLINT: registers
#pragma GCC unroll 8
  for (int r = 0; r < kRowsNow; ++r) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      sum[r][n] = all(0);
    }
  }
  const auto ahead = reinterpret_cast<std::intptr_t>(a) + kAhead * kPanelRowBytes; // NOLINT
  for (std::int64_t k = 0; k < p.depth; ++k) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead + k * kPanelRowBytes), _MM_HINT_T0); // NOLINT
    Vector row[kAcross];                                                                  // NOLINT
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      row[n] = load(p.b + (k * kAcross + n) * kWidth);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowsNow; ++r) {
      const Vector left = all(a[k * kColumns + r]);
#pragma GCC unroll 6
      for (int n = 0; n < kAcross; ++n) {
        sum[r][n] = multiply_add(left, row[n], sum[r][n]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowsNow; ++r) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      float* const to = c + (r * kAcross + n) * kWidth;
      store(to, p.accumulate ? load(to) + sum[r][n] : sum[r][n]);
    }
  }
}

template <int kAcross>
void multiply_lanes_across(const LaneProduct& p) {
  constexpr RowSteps kSteps = row_steps(kAcross);
  // A step is of one panel.
  static_assert(kColumns % kRowStep == 0 && kRowStep % kSteps.less == 0);
  for (std::int64_t row = 0; row < p.rows; row += kSteps.less) {
    multiply_lane_rows<kSteps.less, kAcross>(p.a + row / kColumns * p.panel_stride + row % kColumns,
                                             p, p.c + row * kAcross * kWidth);
  }
}

/// Brings largest scores up to date, sums and answers with them; leaves in `off` what to take off
/// each score: the largest, or nothing where every score is -inf.
template <int kAcross>
SDBENCH_TARGET void raise_largest_across(const LaneScores& s, Vector* off) { // NOLINT
  Vector largest[kAcross];                                                   // NOLINT: registers
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    largest[n] = load(s.largest + n * kWidth);
  }
  for (std::int64_t key = 0; key < s.keys; ++key) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      largest[n] = greater(largest[n], load(s.scores + (key * kAcross + n) * kWidth));
    }
  }
  const Vector lowest = all(-std::numeric_limits<float>::infinity());
  Vector factor[kAcross]; // NOLINT
  bool grown = false;
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    const Vector before = load(s.largest + n * kWidth);
    off[n] = select(differ(largest[n], lowest), largest[n], all(0));
    const Mask higher = differ(before, largest[n]);
    // The others are left as they are: 2^0 is not quite 1 here, and blocks are many.
    factor[n] = select(higher, power_of_two(before - off[n]), all(1));
    grown = grown || any(higher);
    store(s.largest + n * kWidth, largest[n]);
  }
  if (!grown) {
    return;
  }
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    float* const sum = s.sum + n * kWidth;
    store(sum, load(sum) * factor[n]);
  }
  for (std::int64_t i = 0; i < s.width; ++i) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      float* const answer = s.answers + (i * kAcross + n) * kWidth;
      store(answer, load(answer) * factor[n]);
    }
  }
}

template <int kAcross>
SDBENCH_TARGET void weigh_lanes_across(const LaneScores& s) {
  Vector off[kAcross]; // NOLINT: registers
  raise_largest_across<kAcross>(s, off);
  Vector sum[kAcross]; // NOLINT: of this block, so that few roundings are of large sums
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    sum[n] = all(0);
  }
  for (std::int64_t key = 0; key < s.keys; ++key) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      float* const score = s.scores + (key * kAcross + n) * kWidth;
      const Vector weight = power_of_two(load(score) - off[n]);
      store(score, weight);
      sum[n] = sum[n] + weight;
    }
  }
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    float* const before = s.sum + n * kWidth;
    store(before, load(before) + sum[n]);
  }
}

/// Asks for kWidth rows from `row` on, of this group or the next: they lie apart, which the
/// processor does not foresee. Past the end of the rows that is an address and no more.
SDBENCH_INLINE void fetch_rows_after(const Rows<float>& rows, std::int64_t row) {
  constexpr std::int64_t kLine = 64;
  const auto stride = static_cast<std::uintptr_t>(rows.stride * kDwordBytes);
  auto from = reinterpret_cast<std::uintptr_t>(rows.data) + // NOLINT
              static_cast<std::uintptr_t>(row) * stride;
  for (std::int64_t i = 0; i < kWidth; ++i, from += stride) {
    for (std::int64_t byte = 0; byte < rows.width * kDwordBytes; byte += kLine) {
      _mm_prefetch(
          reinterpret_cast<const char*>(from + static_cast<std::uintptr_t>(byte)), // NOLINT
          _MM_HINT_T0);
    }
  }
}

/// Vectors of 16 lanes, as many as there are.
inline constexpr int kOfLanes = kLanes / kWidth;

inline void multiply_lanes(const LaneProduct& product) {
  switch (product.vectors) {
  case 1:
    return multiply_lanes_across<kOfLanes>(product);
  case 2:
    return multiply_lanes_across<2 * kOfLanes>(product);
  default:
    return multiply_lanes_across<3 * kOfLanes>(product);
  }
}

inline void weigh_lanes(const LaneScores& scores) {
  switch (scores.vectors) {
  case 1:
    return weigh_lanes_across<kOfLanes>(scores);
  case 2:
    return weigh_lanes_across<2 * kOfLanes>(scores);
  default:
    return weigh_lanes_across<3 * kOfLanes>(scores);
  }
}

SDBENCH_TARGET inline void rows_to_lanes(const Rows<float>& rows, std::int64_t vectors, float scale,
                                         float* to) {
  const Vector factor = all(scale);
  const std::int64_t across = vectors * kOfLanes;
  for (std::int64_t n = 0; n < across; ++n) {
    fetch_rows_after(rows, (n + 1) * kWidth);
    for (std::int64_t first = 0; first < rows.width; first += kWidth) {
      const Mask there = first_lanes(rows.width - first);
      Vector v[kWidth]; // NOLINT: registers
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kWidth; ++i) {
        const std::int64_t row = n * kWidth + i;
        v[i] = row < rows.count ? load(rows.data + row * rows.stride + first, there) : all(0);
      }
      transpose(v);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kWidth; ++i) {
        if (first + i < rows.width) {
          store(to + ((first + i) * across + n) * kWidth, v[i] * factor);
        }
      }
    }
  }
}

SDBENCH_TARGET inline void write_lanes(const LaneAnswers& s) {
  const std::int64_t across = s.vectors * kOfLanes;
  for (std::int64_t n = 0; n < across; ++n) {
    const Vector share = all(1) / load(s.sum + n * kWidth);
    for (std::int64_t first = 0; first < s.width; first += kWidth) {
      Vector v[kWidth]; // NOLINT: registers
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kWidth; ++i) {
        v[i] = first + i < s.width ? load(s.answers + ((first + i) * across + n) * kWidth) * share
                                   : all(0);
      }
      transpose(v);
      const Mask there = first_lanes(s.width - first);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kWidth; ++i) {
        if (const std::int64_t row = n * kWidth + i; row < s.count) {
          store(s.to + row * s.stride + first, v[i], there);
        }
      }
    }
  }
}

} // namespace sdbench::kernels::SDBENCH_VECTOR

#pragma GCC diagnostic pop
