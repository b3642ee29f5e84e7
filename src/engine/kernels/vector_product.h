#pragma once

#include <algorithm>

#include "packing.h"
#include "vector_math.h"

// Matrix products in vectors. `Add` multiplies dwords, whatever they contain: one fp32 or two bf16.

// GCC 12 warns of variables that its own headers leave uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels::SDBENCH_VECTOR {

/// Multiplies `kRowsNow` rows of a, from `row` on, by `kPanels` panels of b, from `panel` on.
/// `Add::to(sum, left, right)` adds the products of `left` and `right` to `sum`: a dword of a,
/// broadcast to all lanes, and a vector of b.
template <typename Add, int kRowsNow, int kPanels>
SDBENCH_TARGET void multiply_tile(const Product& p, std::int64_t row, std::int64_t panel) {
  constexpr int kOfPanel = kColumns / kWidth; // vectors
  constexpr int kAcross = kPanels * kOfPanel;
  const std::byte* a = p.a + row * p.a_stride;
  const std::byte* b = p.b + panel * p.panel_stride;
  float* c = p.c + row * p.c_stride + panel * kColumns;
  Vector sum[kRowsNow][kAcross]; // NOLINT: registers
#pragma GCC unroll 8
  for (int r = 0; r < kRowsNow; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kAcross; ++n) {
      sum[r][n] = p.accumulate ? load(c + r * p.c_stride + n * kWidth) : all(0);
    }
  }
  for (std::int64_t k = 0; k < p.depth; ++k) {
    Vector column[kAcross]; // NOLINT
#pragma GCC unroll 3
    for (int n = 0; n < kAcross; ++n) {
      const std::byte* of_panel = b + n / kOfPanel * p.panel_stride + k * kPanelRowBytes;
      column[n] = load(reinterpret_cast<const float*>(of_panel) + n % kOfPanel * kWidth); // NOLINT
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRowsNow; ++r) {
      const Vector left = all(reinterpret_cast<const float*>(a + r * p.a_stride)[k]); // NOLINT
#pragma GCC unroll 3
      for (int n = 0; n < kAcross; ++n) {
        Add::to(sum[r][n], left, column[n]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRowsNow; ++r) {
#pragma GCC unroll 3
    for (int n = 0; n < kAcross; ++n) {
      store(c + r * p.c_stride + n * kWidth, sum[r][n]);
    }
  }
}

template <typename Add, int kPanels>
void multiply_panels(const Product& p, std::int64_t rows, std::int64_t panel) {
  constexpr RowSteps kSteps = row_steps(kPanels * kColumns / kWidth);
  for (std::int64_t row = 0; row < rows;) {
    if (kSteps.takes_most(rows - row)) {
      multiply_tile<Add, kSteps.most, kPanels>(p, row, panel);
      row += kSteps.most;
    } else {
      multiply_tile<Add, kSteps.less, kPanels>(p, row, panel);
      row += kSteps.less;
    }
  }
}

/// Multiplies `rows` rows of a, a multiple of kRowStep, by all panels of b.
template <typename Add>
void multiply_rows(const Product& p, std::int64_t rows) {
  // The panels stay in the cache while the rows pass.
  for (std::int64_t panel = 0; panel < p.panels;) {
    const std::int64_t now = panels_now(p.panels - panel, kPanelsAtOnce);
    switch (now) {
    case 1:
      multiply_panels<Add, 1>(p, rows, panel);
      break;
    case 2:
      multiply_panels<Add, std::min(kPanelsAtOnce, std::int64_t{2})>(p, rows, panel);
      break;
    default:
      multiply_panels<Add, kPanelsAtOnce>(p, rows, panel);
    }
    panel += now;
  }
}

template <typename Add>
void multiply_vectors(const Product& p) {
  multiply_rows<Add>(p, kRows);
}

inline void need_nothing() {}

} // namespace sdbench::kernels::SDBENCH_VECTOR

#pragma GCC diagnostic pop
