#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// A 3x3 convolution of stride 1 and padding 1 in fp32 on the CPU, in Winograd's form F(2x2, 3x3):
/// patches of 4x4 pixels and the taps are brought to 16 points each, where a product of channels is
/// all that is left. Four pixels take 16 products instead of 36; its error is 0.6 to 2
/// times that of the usual form, by the number of channels. A. Lavin, S. Gray: Fast Algorithms for
/// Convolutional Neural Networks, 2015 (arXiv:1509.09308).
class CpuWinograd {
public:
  /// Whether there is one for `weight` [out, in, k, k] here: in fp32, 3x3, of inputs by sixteens,
  /// on a processor with AVX-512.
  [[nodiscard]] static bool fits(const at::Tensor& weight);

  /// `weight` must fit. The taps are kept as they are, so as many bytes: they are brought to points
  /// while they lie in the cache.
  explicit CpuWinograd(const at::Tensor& weight);

  /// x [N, in, H, W], bias [out] -> [N, out, H, W], channels-last, all in fp32. Throws Error if x
  /// is not.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& bias) const;

private:
  std::int64_t in_;
  std::int64_t out_;
  at::Tensor taps_; ///< [panels of 16 outputs, in, 9 taps, 16]
};

} // namespace sdbench
