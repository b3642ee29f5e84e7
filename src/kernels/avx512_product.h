#pragma once

#if defined(__x86_64__)

#include "avx512_math.h"

// Products in vectors of 16, whatever a dword of them holds.

// GCC 12 takes what its own headers leave undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels {

inline constexpr std::int64_t kRowsAtOnce = 8; // x 3 panels: 24 sums, 3 vectors of b, of 32
inline constexpr std::int64_t kPanelsAtOnce = 3;

/// `kPanels` panels of kRowsAtOnce rows. `Add::to(sum, left, right)` adds what a dword of a, in all
/// lanes, and a vector of b come to.
template <typename Add, int kPanels>
__attribute__((target("avx512f,avx512dq"))) void multiply_panels(const Product& p, std::int64_t row,
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
        Add::to(sum[r][n], left, column[n]);
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

/// `rows` rows, a multiple of kRowsAtOnce.
template <typename Add>
void multiply_rows(const Product& p, std::int64_t rows) {
  // The panels stay in the cache while the rows go by.
  for (std::int64_t panel = 0; panel < p.panels;) {
    const std::int64_t now = panels_now(p.panels - panel, kPanelsAtOnce);
    for (std::int64_t row = 0; row < rows; row += kRowsAtOnce) {
      switch (now) {
      case 1:
        multiply_panels<Add, 1>(p, row, panel);
        break;
      case 2:
        multiply_panels<Add, 2>(p, row, panel);
        break;
      default:
        multiply_panels<Add, 3>(p, row, panel);
      }
    }
    panel += now;
  }
}

template <typename Add>
void multiply_vectors(const Product& p) {
  multiply_rows<Add>(p, kRows);
}

/// One fp32 in each dword.
struct AddFp32 {
  SDBENCH_AVX512_INLINE void to(__m512& sum, __m512 left, __m512 right) {
    sum = _mm512_fmadd_ps(left, right, sum);
  }
};

inline void need_nothing() {}

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#endif
