#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "lanes.h"
#include "vector_math.h"

// The functions of LaneKit in vectors. A row of lanes consists of kAcross vectors.

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// How many cache lines ahead are prefetched, because panels come from the second-level cache or
/// from beyond. Past the end of the panels, only an address is computed and nothing is read.
inline constexpr std::int64_t kAhead = 24;

/// Multiplies `kRowsNow` rows from `row` on. Adds the old value of c and subtracts `off` at the
/// end, so that large sums are rounded only a few times.
template <int kRowsNow, int kAcross>
SDBENCH_TARGET void multiply_lane_rows(const LaneProduct& p, std::int64_t row) {
  const float* const a = p.a + row / kColumns * p.panel_stride + row % kColumns;
  float* const c = p.c + row * kAcross * kWidth;
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
    Vector right[kAcross];                                                                // NOLINT
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n) {
      right[n] = load(p.b + (k * kAcross + n) * kWidth);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowsNow; ++r) {
      const Vector left = all(a[k * kColumns + r]);
#pragma GCC unroll 6
      for (int n = 0; n < kAcross; ++n) {
        sum[r][n] = multiply_add(left, right[n], sum[r][n]);
      }
    }
  }
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    const Vector off = p.off == nullptr ? all(0) : load(p.off + n * kWidth);
    Vector largest = p.largest == nullptr ? all(0) : load(p.largest + n * kWidth);
#pragma GCC unroll 8
    for (int r = 0; r < kRowsNow; ++r) {
      float* const to = c + (r * kAcross + n) * kWidth;
      const Vector whole = (p.accumulate ? load(to) + sum[r][n] : sum[r][n]) - off;
      store(to, whole);
      if (row + r < p.compared) {
        largest = greater(largest, whole);
      }
    }
    if (p.largest != nullptr) {
      store(p.largest + n * kWidth, largest);
    }
  }
}

template <int kAcross>
void multiply_lanes_across(const LaneProduct& p) {
  constexpr RowSteps kSteps = row_steps(kAcross);
  // A step lies within one panel.
  static_assert(kColumns % kRowStep == 0 && kRowStep % kSteps.less == 0);
  for (std::int64_t row = 0; row < p.rows; row += kSteps.less) {
    multiply_lane_rows<kSteps.less, kAcross>(p, row);
  }
}

template <int kAcross>
SDBENCH_TARGET bool raise_off_across(const LaneScores& s) {
  const Vector lowest = all(-std::numeric_limits<float>::infinity());
  const Vector most = all(kMostScore);
  Vector more[kAcross]; // NOLINT: registers
  bool raised = false;
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    const Vector largest = load(s.largest + n * kWidth);
    const Mask too_large = differ(greater(largest, most), most);
    const Vector of_those = select(too_large, largest, all(0));
    const Mask had_weight = differ(load(s.sum + n * kWidth), all(0));
    // -inf cannot be subtracted from -inf.
    more[n] = select(differ(largest, lowest), select(had_weight, of_those, largest), all(0));
    raised = raised || any(differ(more[n], all(0)));
  }
  if (!raised) {
    return false;
  }
  Vector factor[kAcross]; // NOLINT: registers
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    float* const off = s.off + n * kWidth;
    const Vector before = load(off);
    const Vector whole = before + more[n];
    const Vector now = select(differ(greater(whole, all(s.most)), all(s.most)),
                              all(std::numeric_limits<float>::quiet_NaN()), whole);
    store(off, now);
    // Lanes where `off` does not grow keep a factor of exactly 1, which 2^0 is not here. `off` can
    // even fall where all earlier sums are 0; there 2^(before - now) may be infinite.
    factor[n] = select(differ(greater(now, before), before), power_of_two(before - now), all(1));
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
  return true;
}

template <int kAcross, bool kTakesOff>
SDBENCH_TARGET void weigh_lanes_across(const LaneScores& s) {
  Vector sum[kAcross]; // of this block, so that large sums are rounded only a few times
  Vector off[kAcross]; // NOLINT: registers
#pragma GCC unroll 6
  for (int n = 0; n < kAcross; ++n) {
    sum[n] = all(0);
    off[n] = load(s.off + n * kWidth);
  }
  float* score = s.scores;
  for (const float* const end = score + s.keys * kAcross * kWidth; score < end;) {
#pragma GCC unroll 6
    for (int n = 0; n < kAcross; ++n, score += kWidth) {
      const Vector weight = power_of_two(kTakesOff ? load(score) - off[n] : load(score));
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

/// Prefetches kWidth rows from `row` on, which may belong to the next group. The processor does not
/// prefetch them itself, because they are not adjacent in memory. Past the end of the rows, only an
/// address is computed and nothing is read.
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

/// Number of vectors that make 16 lanes.
inline constexpr int kOfLanes = kLanes / kWidth;

/// Calls `work` with the number of vectors that make `vectors` times 16 lanes, as a
/// std::integral_constant.
template <typename Work>
auto with_across(std::int64_t vectors, const Work& work) {
  switch (vectors) {
  case 1:
    return work(std::integral_constant<int, kOfLanes>());
  case 2:
    return work(std::integral_constant<int, 2 * kOfLanes>());
  default:
    return work(std::integral_constant<int, 3 * kOfLanes>());
  }
}

inline void multiply_lanes(const LaneProduct& product) {
  with_across(product.vectors, [&](auto across) { multiply_lanes_across<across>(product); });
}

inline bool raise_off(const LaneScores& scores) {
  return with_across(scores.vectors, [&](auto across) { return raise_off_across<across>(scores); });
}

template <bool kTakesOff>
void weigh_lanes(const LaneScores& scores) {
  with_across(scores.vectors, [&](auto across) { weigh_lanes_across<across, kTakesOff>(scores); });
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
