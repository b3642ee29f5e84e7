#pragma once

#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"

namespace sdbench {

/// A convolution without bias and the batch norm behind it.
class ConvNorm {
public:
  ConvNorm(const Weights& conv_weights, const Weights& norm_weights, Conv2dShape shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;
  [[nodiscard]] at::Tensor relu(const at::Tensor& x, Mode mode) const; ///< ReLU of that

private:
  Conv2d conv_;
  BatchNorm2d norm_;
};

/// The mean of each channel, [N, C, H, W] -> [N, C].
[[nodiscard]] at::Tensor mean_of_pixels(const at::Tensor& x);

} // namespace sdbench
