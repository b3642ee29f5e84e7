#pragma once

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

namespace kernels {
struct WinogradKit;
} // namespace kernels

/// A 3x3 convolution of stride 1 and padding 1 in fp32 on the CPU, with Winograd's algorithm F(2x2,
/// 3x3). It transforms each patch of 4x4 pixels and each 3x3 filter to 16 values. The convolution
/// then consists of 16 matrix products over channels, one for each of these values. Four output
/// pixels take 16 products instead of 36. The error is 0.6 to 2 times that of direct convolution,
/// depending on the number of channels. Source: Lavin and Gray, "Fast Algorithms for Convolutional
/// Neural Networks", 2015 (arXiv:1509.09308).
class CpuWinograd {
public:
  /// The best instructions of this processor for `weight` [out, in, k, k]. Empty if the weight is
  /// not fp32 or not 3x3, `in` is not a multiple of 16, or the processor lacks the instructions.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& weight);

  /// `weight`: must be accepted by instructions(). `bias`: [out]. Stores the filters untransformed,
  /// in as many bytes as `weight`. Each call transforms the filters part by part, and uses each
  /// part while it is still in the cache.
  CpuWinograd(const at::Tensor& weight, const at::Tensor& bias, CpuInstructions instructions);

  /// x [N, in, H, W], fp32 -> [N, out, H, W], fp32, channels-last. Throws Error for any other x.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;

private:
  const kernels::WinogradKit* kit_;
  std::int64_t in_;
  std::int64_t out_;
  at::Tensor taps_; ///< [panels, in, 9 taps, 16]: a panel is 16 output channels
  at::Tensor bias_;
};

} // namespace sdbench
