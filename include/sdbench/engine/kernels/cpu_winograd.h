#pragma once

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

namespace kernels {
struct WinogradKit;
} // namespace kernels

/// A 3x3 convolution of stride 1 and padding 1 in fp32 on the CPU, in Winograd's form F(2x2, 3x3):
/// patches of 4x4 pixels and the taps are brought to 16 points each, where a product of channels is
/// all that is left. Four pixels take 16 products instead of 36; its error is 0.6 to 2
/// times that of the usual form, by the number of channels. A. Lavin, S. Gray: Fast Algorithms for
/// Convolutional Neural Networks, 2015 (arXiv:1509.09308).
class CpuWinograd {
public:
  /// The best instructions here for `weight` [out, in, k, k]; nothing if it is not in fp32, not
  /// 3x3, not of inputs by sixteens, or the processor has none for it.
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& weight);

  /// `weight` must be one of those; `bias` [out]. The taps are kept as they are, so as many bytes:
  /// they are brought to points while they lie in the cache.
  CpuWinograd(const at::Tensor& weight, const at::Tensor& bias, CpuInstructions instructions);

  /// x [N, in, H, W] -> [N, out, H, W], channels-last, both in fp32. Throws Error if x is not.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;

private:
  const kernels::WinogradKit* kit_;
  std::int64_t in_;
  std::int64_t out_;
  at::Tensor taps_; ///< [panels of 16 outputs, in, 9 taps, 16]
  at::Tensor bias_;
};

} // namespace sdbench
