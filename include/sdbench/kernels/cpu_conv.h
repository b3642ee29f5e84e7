#pragma once

#include <memory>
#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/kernels/cpu_instructions.h"

namespace sdbench {

/// A 3x3 convolution of stride 1 and padding 1 on the CPU by kernels of our own: nine products, one
/// a tap, whose left-hand sides are the image itself, channels-last, moved by a pixel; nothing is
/// gathered. Sums are fp32 and rounded once, with the bias.
class CpuConv3x3 {
public:
  /// As CpuLinear's, of `weight` [out, in, 3, 3]; none for other kernels.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& weight);

  CpuConv3x3(const at::Tensor& weight, const at::Tensor& bias, CpuInstructions instructions);

  /// x [N, in, H, W] -> [N, out, H, W], channels-last, both of the weight's dtype. Throws Error if
  /// x is not.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;

private:
  struct Impl;
  std::shared_ptr<const Impl> impl_; ///< shared by copies, as tensors are
};

} // namespace sdbench
