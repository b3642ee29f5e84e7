#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// Group norm, and SiLU of it, on the CPU by kernels of our own in two passes over the image: sums,
/// then values. Sums are fp32 over 64 pixels and fp64 beyond; the result is rounded once. The
/// number of threads changes no bit.
class CpuGroupNorm {
public:
  /// The instructions for the norm of `x`: none unless it is [N, C, H, W], channels-last, with C a
  /// multiple of 16, in a dtype that this processor has instructions for.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& x);

  /// weight, bias [C]. Throws Error if `groups` does not divide C.
  CpuGroupNorm(const at::Tensor& weight, const at::Tensor& bias, std::int64_t groups, double eps);

  /// `x` as above -> [N, C, H, W], channels-last, in its dtype. Throws Error if it has other
  /// channels.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, bool silu,
                                      CpuInstructions instructions) const;

private:
  at::Tensor weight_; ///< fp64
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
};

} // namespace sdbench
