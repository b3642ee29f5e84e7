#include "sdbench/engine/nn/conv.h"

#include <cstdint>

#include <ATen/ATen.h>

namespace sdbench {

Conv2d::Conv2d(const Weights& weights, const Conv2dShape& shape)
    : weight_(weights.take("weight", {shape.out, shape.in, shape.kernel, shape.kernel})),
      stride_(shape.stride), padding_(shape.padding) {
  if (shape.bias == Bias::kYes) {
    bias_ = weights.take("bias", {shape.out});
  }
  if (weights.packing() != Packing::kNone) {
    packed_.emplace(weight_, bias_, stride_, padding_, weights.packing());
    weight_.reset();
  }
}

at::Tensor Conv2d::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x)
                 : at::conv2d(x, weight_, bias_, {stride_, stride_}, {padding_, padding_});
}

Conv2d pointwise_conv(const Weights& weights, std::int64_t in, std::int64_t out) {
  return Conv2d(weights, {.in = in, .out = out, .kernel = 1, .stride = 1, .padding = 0});
}

} // namespace sdbench
