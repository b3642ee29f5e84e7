#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// Group norm, optionally followed by SiLU, on the CPU with our own kernels. They pass over the
/// image twice: for the sums, then for the values. Sums are fp32 over 64 pixels and fp64 beyond;
/// the result is rounded once. The bits do not depend on the number of threads.
class CpuGroupNorm {
public:
  /// The instructions for the norm of `x`. Nothing unless `x` is [N, C, H, W], channels-last, C is
  /// a multiple of 16, and this processor has instructions for the dtype.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& x);

  /// weight, bias [C]. Throws Error if `groups` does not divide C.
  CpuGroupNorm(const at::Tensor& weight, const at::Tensor& bias, std::int64_t groups, double eps);

  /// `x`, which instructions() must accept -> [N, C, H, W], channels-last, in the dtype of `x`.
  /// Throws Error if C differs from the weight's.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, bool silu,
                                      CpuInstructions instructions) const;

private:
  at::Tensor weight_; ///< fp64
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
};

} // namespace sdbench
