#include "sdbench/engine/nn/conv.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/engine/kernels/gpu_kernels.h"

namespace sdbench {

at::Tensor conv_weight(const Weights& weights, const Conv2dShape& shape) {
  return weights.take("weight", {shape.out, shape.in, shape.kernel, shape.kernel});
}

Conv2d::Conv2d(const Weights& weights, const Conv2dShape& shape)
    : weight_(conv_weight(weights, shape)), stride_(shape.stride), padding_(shape.padding) {
  if (shape.bias == Bias::kYes) {
    bias_ = weights.take("bias", {shape.out});
  }
  pack(weights.packing());
  if (!packed_ && weight_.is_contiguous(at::MemoryFormat::ChannelsLast)) {
    bias_kernels_ = weights.gpu_kernels();
  }
}

Conv2d::Conv2d(at::Tensor weight, const at::Tensor& bias, const Conv2dShape& shape, Packing packing)
    : weight_(std::move(weight)), stride_(shape.stride), padding_(shape.padding) {
  if (bias.defined()) {
    bias_ = bias;
  }
  pack(packing);
}

void Conv2d::pack(Packing packing) {
  if (packing != Packing::kNone) {
    packed_.emplace(weight_, bias_, stride_, padding_, packing);
    weight_.reset();
  }
}

at::Tensor Conv2d::take_bias() {
  return *std::exchange(bias_, std::nullopt);
}

at::Tensor Conv2d::of_pixel(const at::Tensor& pixel) const {
  return at::mv(weight_.flatten(1).to(at::kFloat), pixel.to(at::kFloat));
}

at::Tensor Conv2d::operator()(const at::Tensor& x, Activation activation) const {
  if (packed_) {
    return (*packed_)(x, activation);
  }
  const bool adds_bias =
      bias_ && bias_kernels_ && x.suggest_memory_format() == at::MemoryFormat::ChannelsLast;
  at::Tensor y = at::conv2d(x, weight_, adds_bias ? std::nullopt : bias_, {stride_, stride_},
                            {padding_, padding_});
  if (adds_bias) {
    add_bias(y, *bias_, {}, *bias_kernels_);
  }
  activate(y, activation);
  return y;
}

void add_bias(at::Tensor& x, const at::Tensor& bias, const at::Tensor& other,
              const GpuKernels& kernels) {
  if (kernels.takes_add_bias(x, other)) {
    kernels.add_bias(x, bias, other);
    return;
  }
  x.add_(bias.view({-1, 1, 1}));
  if (other.defined()) {
    x.add_(other);
  }
}

Conv2d pointwise_conv(const Weights& weights, std::int64_t in, std::int64_t out) {
  return Conv2d(weights, {.in = in, .out = out, .kernel = 1, .stride = 1, .padding = 0});
}

} // namespace sdbench
