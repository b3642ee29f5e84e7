#include "conv_norm.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/packed_weights.h"

namespace sdbench {
namespace {

Conv2dShape without_bias(Conv2dShape shape) {
  shape.bias = Bias::kNo;
  return shape;
}

/// (conv x) * scale + shift as a convolution with a bias. The products are rounded to the weights'
/// dtype once.
Conv2d folded(const Weights& conv_weights, const Weights& norm_weights, const Conv2dShape& shape) {
  const at::Tensor weight = conv_weight(conv_weights, shape);
  const ChannelScale norm = inference_scale(norm_weights, shape.out);
  const at::Tensor scaled = weight.to(at::kDouble) * norm.scale.view({-1, 1, 1, 1});
  return {scaled.to(weight.scalar_type()), norm.shift.to(weight.scalar_type()), shape,
          conv_weights.packing()};
}

} // namespace

ChannelScale inference_scale(const Weights& weights, std::int64_t channels) {
  const auto take = [&](const char* name) {
    return weights.take(name, {channels}).to(at::kDouble);
  };
  const at::Tensor weight = take("weight");
  const at::Tensor bias = take("bias");
  const at::Tensor mean = take("running_mean");
  const at::Tensor scale = weight * (take("running_var") + kBatchNormEps).rsqrt();
  return {scale, bias - mean * scale};
}

ConvNorm::ConvNorm(const Weights& conv_weights, const Weights& norm_weights, Conv2dShape shape)
    : conv_(conv_weights.folds_norms() ? folded(conv_weights, norm_weights, shape)
                                       : Conv2d(conv_weights, without_bias(shape))) {
  if (!conv_weights.folds_norms()) {
    norm_.emplace(norm_weights, shape.out);
  }
}

at::Tensor ConvNorm::operator()(const at::Tensor& x, Mode mode) const {
  return norm_ ? (*norm_)(conv_(x), mode) : conv_(x);
}

at::Tensor ConvNorm::relu(const at::Tensor& x, Mode mode) const {
  if (!norm_) {
    return conv_(x, Activation::kRelu);
  }
  at::Tensor y = (*norm_)(conv_(x), mode);
  return at::relu_(y); // in place: only this function has it
}

at::Tensor mean_of_pixels(const at::Tensor& x) {
  return at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
}

} // namespace sdbench
