#include "attention_kit.h"

#if defined(__x86_64__)

#include "avx512_math.h"

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::attention {
namespace {

constexpr std::int64_t kRowsAtOnce = 8; // x 3 panels: 24 sums, 3 vectors of b, of 32 registers

/// `kPanels` panels of kRowsAtOnce rows.
template <int kPanels>
__attribute__((target("avx512f"))) void multiply_panels(const Product& p, std::int64_t row,
                                                        std::int64_t panel) {
  const std::byte* a = p.a + row * p.a_stride;
  const std::byte* b = p.b + panel * p.panel_stride;
  float* c = p.c + row * p.c_stride + panel * kColumns;
  __m512 sum[kRowsAtOnce][kPanels]; // NOLINT: registers
#pragma GCC unroll 8
  for (int r = 0; r < kRowsAtOnce; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kPanels; ++n) {
      sum[r][n] =
          p.accumulate ? _mm512_loadu_ps(c + r * p.c_stride + n * kColumns) : _mm512_setzero_ps();
    }
  }
  for (std::int64_t k = 0; k < p.depth; ++k) {
    __m512 column[kPanels]; // NOLINT
#pragma GCC unroll 3
    for (int n = 0; n < kPanels; ++n) {
      column[n] = _mm512_loadu_ps(b + n * p.panel_stride + k * kColumns * sizeof(float));
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const __m512 left =
          _mm512_set1_ps(reinterpret_cast<const float*>(a + r * p.a_stride)[k]); // NOLINT
#pragma GCC unroll 3
      for (int n = 0; n < kPanels; ++n) {
        sum[r][n] = _mm512_fmadd_ps(left, column[n], sum[r][n]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowsAtOnce; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kPanels; ++n) {
      _mm512_storeu_ps(c + r * p.c_stride + n * kColumns, sum[r][n]);
    }
  }
}

void multiply_fp32(const Product& p) {
  // The panels stay in the cache while the rows go by.
  for (std::int64_t panel = 0; panel < p.panels; panel += 3) {
    for (std::int64_t row = 0; row < kRows; row += kRowsAtOnce) {
      switch (p.panels - panel) {
      case 1:
        multiply_panels<1>(p, row, panel);
        break;
      case 2:
        multiply_panels<2>(p, row, panel);
        break;
      default:
        multiply_panels<3>(p, row, panel);
      }
    }
  }
}

__attribute__((target("avx512f,avx512dq"))) void weigh_fp32(const Scores& s) {
  const __m512 scale = _mm512_set1_ps(s.scale);
  for (std::int64_t row = 0; row < s.rows; ++row) {
    const float* scores = s.scores + row * s.stride;
    const __m512 largest = _mm512_set1_ps(raise_largest(s, row, scores));
    auto* weights = reinterpret_cast<float*>(s.weights + row * s.weights_stride); // NOLINT
    __m512 sum = _mm512_setzero_ps();
    std::int64_t i = 0;
    for (; i + kColumns <= s.keys; i += kColumns) {
      const __m512 power = _mm512_fmsub_ps(_mm512_loadu_ps(scores + i), scale, largest);
      const __m512 weight = power_of_two(power);
      sum = _mm512_add_ps(sum, weight);
      _mm512_storeu_ps(weights + i, weight);
    }
    if (i < s.keys) {
      const __m512 power = _mm512_fmsub_ps(_mm512_loadu_ps(scores + i), scale, largest);
      const __m512 weight = _mm512_maskz_mov_ps(lanes(i, s.keys), power_of_two(power));
      sum = _mm512_add_ps(sum, weight);
      _mm512_storeu_ps(weights + i, weight);
    }
    s.sum[row] += _mm512_reduce_add_ps(sum);
  }
}

void nothing() {}

} // namespace

const Kit kAvx512Kit{1, nothing, nothing, multiply_fp32, weigh_fp32};

} // namespace sdbench::attention

#pragma GCC diagnostic pop

#endif
