#include "lanes.h"

#if defined(__x86_64__)

#include <algorithm>
#include <limits>

#include "avx512_math.h"

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels {
namespace {

static_assert(kLanes == kColumns);

/// Lines of a panel that are asked for before they are needed: they come from the second cache or
/// beyond. Past the end of the panels that is an address and no more.
constexpr std::int64_t kAhead = 24;

/// kRowStep rows. What is there joins at the end: few of the roundings are of large sums then.
template <int kVectors>
__attribute__((target("avx512f,avx512dq"))) void
multiply_rows_of(const float* a, const float* b, float* c, std::int64_t depth, bool accumulate) {
  __m512 sum[kRowStep][kVectors]; // NOLINT: registers
#pragma GCC unroll 8
  for (int r = 0; r < kRowStep; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      sum[r][n] = _mm512_setzero_ps();
    }
  }
  const auto ahead = reinterpret_cast<std::intptr_t>(a) + kAhead * kPanelRowBytes; // NOLINT
  for (std::int64_t k = 0; k < depth; ++k) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead + k * kPanelRowBytes), _MM_HINT_T0); // NOLINT
    __m512 row[kVectors];                                                                 // NOLINT
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      row[n] = _mm512_loadu_ps(b + (k * kVectors + n) * kLanes);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowStep; ++r) {
      const __m512 left = _mm512_set1_ps(a[k * kColumns + r]);
#pragma GCC unroll 3
      for (int n = 0; n < kVectors; ++n) {
        sum[r][n] = _mm512_fmadd_ps(left, row[n], sum[r][n]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowStep; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      float* const to = c + (r * kVectors + n) * kLanes;
      _mm512_storeu_ps(to, accumulate ? _mm512_add_ps(_mm512_loadu_ps(to), sum[r][n]) : sum[r][n]);
    }
  }
}

template <int kVectors>
void multiply_vectors_of(const LaneProduct& p) {
  for (std::int64_t row = 0; row < p.rows; row += kRowStep) {
    multiply_rows_of<kVectors>(p.a + row / kColumns * p.panel_stride + row % kColumns, p.b,
                               p.c + row * kVectors * kLanes, p.depth, p.accumulate);
  }
}

/// Brings largest scores up to date, sums and answers with them; leaves in `off` what to take off
/// each score: the largest, or nothing where every score is -inf.
template <int kVectors>
__attribute__((target("avx512f,avx512dq"))) void raise_largest_of(const LaneScores& s,
                                                                  __m512* off) { // NOLINT
  __m512 largest[kVectors]; // NOLINT: registers
#pragma GCC unroll 3
  for (int n = 0; n < kVectors; ++n) {
    largest[n] = _mm512_loadu_ps(s.largest + n * kLanes);
  }
  for (std::int64_t key = 0; key < s.keys; ++key) {
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      largest[n] =
          _mm512_max_ps(largest[n], _mm512_loadu_ps(s.scores + (key * kVectors + n) * kLanes));
    }
  }
  const __m512 lowest = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 factor[kVectors]; // NOLINT
  unsigned grown = 0;
#pragma GCC unroll 3
  for (int n = 0; n < kVectors; ++n) {
    const __m512 before = _mm512_loadu_ps(s.largest + n * kLanes);
    const __mmask16 any = _mm512_cmp_ps_mask(largest[n], lowest, _CMP_NEQ_UQ);
    off[n] = _mm512_maskz_mov_ps(any, largest[n]);
    const __mmask16 higher = _mm512_cmp_ps_mask(before, largest[n], _CMP_NEQ_UQ);
    // The others are left as they are: 2^0 is not quite 1 here, and blocks are many.
    factor[n] =
        _mm512_mask_mov_ps(_mm512_set1_ps(1), higher, power_of_two(_mm512_sub_ps(before, off[n])));
    grown |= higher;
    _mm512_storeu_ps(s.largest + n * kLanes, largest[n]);
  }
  if (grown == 0) {
    return;
  }
#pragma GCC unroll 3
  for (int n = 0; n < kVectors; ++n) {
    float* const sum = s.sum + n * kLanes;
    _mm512_storeu_ps(sum, _mm512_mul_ps(_mm512_loadu_ps(sum), factor[n]));
  }
  for (std::int64_t i = 0; i < s.width; ++i) {
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      float* const answer = s.answers + (i * kVectors + n) * kLanes;
      _mm512_storeu_ps(answer, _mm512_mul_ps(_mm512_loadu_ps(answer), factor[n]));
    }
  }
}

template <int kVectors>
__attribute__((target("avx512f,avx512dq"))) void weigh_vectors_of(const LaneScores& s) {
  __m512 off[kVectors]; // NOLINT: registers
  raise_largest_of<kVectors>(s, off);
  __m512 sum[kVectors]; // NOLINT: of this block, so that few roundings are of large sums
#pragma GCC unroll 3
  for (int n = 0; n < kVectors; ++n) {
    sum[n] = _mm512_setzero_ps();
  }
  for (std::int64_t key = 0; key < s.keys; ++key) {
#pragma GCC unroll 3
    for (int n = 0; n < kVectors; ++n) {
      float* const score = s.scores + (key * kVectors + n) * kLanes;
      const __m512 weight = power_of_two(_mm512_sub_ps(_mm512_loadu_ps(score), off[n]));
      _mm512_storeu_ps(score, weight);
      sum[n] = _mm512_add_ps(sum[n], weight);
    }
  }
#pragma GCC unroll 3
  for (int n = 0; n < kVectors; ++n) {
    float* const before = s.sum + n * kLanes;
    _mm512_storeu_ps(before, _mm512_add_ps(_mm512_loadu_ps(before), sum[n]));
  }
}

/// Asks for 16 rows from `row` on, of this group or the next: they lie apart, which the processor
/// does not foresee. Past the end of the rows that is an address and no more.
SDBENCH_AVX512_INLINE void fetch_rows_after(const Rows<float>& rows, std::int64_t row) {
  constexpr std::int64_t kLine = 64;
  const auto stride = static_cast<std::uintptr_t>(rows.stride * kDwordBytes);
  auto from = reinterpret_cast<std::uintptr_t>(rows.data) + // NOLINT
              static_cast<std::uintptr_t>(row) * stride;
  for (std::int64_t i = 0; i < kLanes; ++i, from += stride) {
    for (std::int64_t byte = 0; byte < rows.width * kDwordBytes; byte += kLine) {
      _mm_prefetch(
          reinterpret_cast<const char*>(from + static_cast<std::uintptr_t>(byte)), // NOLINT
          _MM_HINT_T0);
    }
  }
}

/// v's rows become its columns: first in quarters of 4x4, then the quarters.
SDBENCH_AVX512_INLINE void transpose(__m512* v) { // NOLINT: 16 registers
  __m512 quarters[kLanes];                        // NOLINT
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

} // namespace

void multiply_lanes(const LaneProduct& product) {
  switch (product.vectors) {
  case 1:
    return multiply_vectors_of<1>(product);
  case 2:
    return multiply_vectors_of<2>(product);
  default:
    return multiply_vectors_of<3>(product);
  }
}

void weigh_lanes(const LaneScores& scores) {
  switch (scores.vectors) {
  case 1:
    return weigh_vectors_of<1>(scores);
  case 2:
    return weigh_vectors_of<2>(scores);
  default:
    return weigh_vectors_of<3>(scores);
  }
}

__attribute__((target("avx512f,avx512dq"))) void
rows_to_lanes(const Rows<float>& rows, std::int64_t vectors, float scale, float* to) {
  const __m512 factor = _mm512_set1_ps(scale);
  for (std::int64_t n = 0; n < vectors; ++n) {
    fetch_rows_after(rows, (n + 1) * kLanes);
    for (std::int64_t first = 0; first < rows.width; first += kLanes) {
      const __mmask16 there = lanes(first, rows.width);
      __m512 v[kLanes]; // NOLINT: registers
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i) {
        const std::int64_t row = n * kLanes + i;
        v[i] = row < rows.count
                   ? _mm512_maskz_loadu_ps(there, rows.data + row * rows.stride + first)
                   : _mm512_setzero_ps();
      }
      transpose(v);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i) {
        if (first + i < rows.width) {
          _mm512_storeu_ps(to + ((first + i) * vectors + n) * kLanes, _mm512_mul_ps(v[i], factor));
        }
      }
    }
  }
}

__attribute__((target("avx512f,avx512dq"))) void write_lanes(const LaneAnswers& s) {
  for (std::int64_t n = 0; n < s.vectors; ++n) {
    const __m512 share = _mm512_div_ps(_mm512_set1_ps(1), _mm512_loadu_ps(s.sum + n * kLanes));
    for (std::int64_t first = 0; first < s.width; first += kLanes) {
      __m512 v[kLanes]; // NOLINT: registers
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i) {
        v[i] = first + i < s.width
                   ? _mm512_mul_ps(
                         _mm512_loadu_ps(s.answers + ((first + i) * s.vectors + n) * kLanes), share)
                   : _mm512_setzero_ps();
      }
      transpose(v);
      const __mmask16 there = lanes(first, s.width);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i) {
        if (const std::int64_t row = n * kLanes + i; row < s.count) {
          _mm512_mask_storeu_ps(s.to + row * s.stride + first, there, v[i]);
        }
      }
    }
  }
}

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#else

#include "sdbench/core/error.h"

namespace sdbench::kernels {
namespace {

[[noreturn]] void refuse_lanes() {
  throw Error("attention with queries in lanes must be of an x86-64 build");
}

} // namespace

void multiply_lanes(const LaneProduct&) {
  refuse_lanes();
}

void weigh_lanes(const LaneScores&) {
  refuse_lanes();
}

void rows_to_lanes(const Rows<float>&, std::int64_t, float, float*) {
  refuse_lanes();
}

void write_lanes(const LaneAnswers&) {
  refuse_lanes();
}

} // namespace sdbench::kernels

#endif
