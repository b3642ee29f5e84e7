#pragma once

#include <optional>

#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"

namespace sdbench {

/// Batch norm in inference: x * scale + shift for each channel. Both tensors are [channels], fp64.
struct ChannelScale {
  at::Tensor scale;
  at::Tensor shift;
};
/// Computes scale and shift for inference from the weights of a BatchNorm2d.
[[nodiscard]] ChannelScale inference_scale(const Weights& weights, std::int64_t channels);

/// A convolution without bias, followed by batch norm. In inference the two equal one convolution
/// with a bias. If the weights fold norms, the constructor makes that convolution.
class ConvNorm {
public:
  ConvNorm(const Weights& conv_weights, const Weights& norm_weights, Conv2dShape shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;
  [[nodiscard]] at::Tensor relu(const at::Tensor& x,
                                Mode mode) const; ///< ReLU of the call's result

private:
  Conv2d conv_;
  std::optional<BatchNorm2d> norm_; ///< empty: folded into the convolution
};

/// The mean of each channel, [N, C, H, W] -> [N, C].
[[nodiscard]] at::Tensor mean_of_pixels(const at::Tensor& x);

} // namespace sdbench
