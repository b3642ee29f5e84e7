#pragma once

#include <cmath>
#include <cstdint>

#include <ATen/core/Tensor.h>

#include "kit.h"
#include "packing.h"

// The two implementations of cpu_attention(), which checks dtypes and shapes before it calls one of
// them. Both process one block of keys at a time, so that the block's scores stay in the caches of
// the core.

namespace sdbench::kernels {

/// For bf16. Each query is a row of a matrix, and its scores are adjacent in memory, as in AMX's
/// tiles.
[[nodiscard]] at::Tensor attend_in_panels(const Kit& kit, const at::Tensor& q, const at::Tensor& k,
                                          const at::Tensor& v);

/// For fp32. Each query is a lane of a vector, so nothing is computed across lanes. The width of a
/// head is a number of rows in the products and needs no padding. In panels, a width of 40 would be
/// padded to 48.
[[nodiscard]] at::Tensor attend_in_lanes(const Kit& kit, const at::Tensor& q, const at::Tensor& k,
                                         const at::Tensor& v);

/// Factor that turns products of queries and keys into exponents of two. `width`: of a head.
[[nodiscard]] inline float score_scale(std::int64_t width) {
  return static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(static_cast<double>(width)));
}

/// Returns `x` if its rows are dense, else a copy with dense rows.
[[nodiscard]] at::Tensor with_dense_rows(const at::Tensor& x);

/// Rows `first` to `first + count - 1` of one head of [images, heads, tokens, width].
template <typename T>
[[nodiscard]] Rows<T> rows_of(const at::Tensor& x, std::int64_t image, std::int64_t head,
                              std::int64_t first, std::int64_t count) {
  const auto* data = static_cast<const T*>(x.const_data_ptr());
  return {data + image * x.stride(0) + head * x.stride(1) + first * x.stride(2), x.stride(2), count,
          x.size(3)};
}

} // namespace sdbench::kernels
