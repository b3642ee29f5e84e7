#pragma once

#include <optional>

#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"

namespace sdbench {

/// Batch norm in inference: x * scale + shift of each channel, both [channels] in fp64.
struct ChannelScale {
  at::Tensor scale;
  at::Tensor shift;
};
/// Scale and shift in inference, from BatchNorm2d's weights.
[[nodiscard]] ChannelScale inference_scale(const Weights& weights, std::int64_t channels);

/// A convolution without bias and the batch norm behind it. In inference the two are one
/// convolution with a bias; where weights fold norms, it is made of them at construction.
class ConvNorm {
public:
  ConvNorm(const Weights& conv_weights, const Weights& norm_weights, Conv2dShape shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;
  [[nodiscard]] at::Tensor relu(const at::Tensor& x, Mode mode) const; ///< ReLU of that

private:
  Conv2d conv_;
  std::optional<BatchNorm2d> norm_; ///< none: it is folded into the convolution
};

/// The mean of each channel, [N, C, H, W] -> [N, C].
[[nodiscard]] at::Tensor mean_of_pixels(const at::Tensor& x);

} // namespace sdbench
