#pragma once

#include <array>
#include <memory>

#include "sdbench/engine/nn/conv.h"

namespace sdbench {

/// Halves height and width with a convolution of stride 2; odd sizes are rounded up. Key: `conv`.
class Downsample2d {
public:
  Downsample2d(const Weights& weights, std::int64_t channels);
  [[nodiscard]] at::Tensor
  operator()(const at::Tensor& x) const; // [B, C, H, W] -> [B, C, H/2, W/2]

private:
  Conv2d conv_;
};

/// Enlarges with nearest-neighbour interpolation, then applies a convolution. Key: `conv`.
class Upsample2d {
public:
  Upsample2d(const Weights& weights, std::int64_t channels);
  /// x [B, C, h, w] -> [B, C, size[0], size[1]].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x,
                                      const std::array<std::int64_t, 2>& size) const;
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // twice the height and width
  /// Removes the convolution's bias, if our GPU kernels would add it, and returns it: whoever reads
  /// the result must add it.
  [[nodiscard]] LackingBias take_bias();

private:
  Conv2d conv_;
  std::shared_ptr<const GpuKernels> gpu_kernels_; ///< for twice the height and width; may be null
};

} // namespace sdbench
