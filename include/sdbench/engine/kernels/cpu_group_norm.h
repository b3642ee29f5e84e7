#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// Computes group norm, optionally followed by SiLU, on the CPU with our own kernels. The kernels
/// read the image twice: first for the sums, then for the result. They add up 64 pixels at a time
/// in fp32, and add these partial sums in fp64. The result is rounded once. The result's bits do
/// not depend on the number of threads.
class CpuGroupNorm {
public:
  /// Returns the instructions to pass to operator() for `x`. Empty unless `x` is [N, C, H, W],
  /// channels-last, C is a multiple of 16, and this processor has instructions for the dtype.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& x);

  /// weight, bias [C]. Throws Error if `groups` does not divide C.
  CpuGroupNorm(const at::Tensor& weight, const at::Tensor& bias, std::int64_t groups, double eps);

  /// `x`: must be accepted by instructions(). Returns [N, C, H, W], channels-last, in the dtype of
  /// `x`. Throws Error if the weight does not have C elements.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, bool silu,
                                      CpuInstructions instructions) const;

private:
  at::Tensor weight_; ///< fp64
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
};

} // namespace sdbench
