#include "sdbench/engine/nn/resample.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

Downsample2d::Downsample2d(const Weights& weights, std::int64_t channels)
    : conv_(weights / "conv", {.in = channels, .out = channels, .kernel = 3, .stride = 2}) {}

at::Tensor Downsample2d::operator()(const at::Tensor& x) const {
  return conv_(x);
}

Upsample2d::Upsample2d(const Weights& weights, std::int64_t channels)
    : conv_(weights / "conv", {.in = channels, .out = channels}),
      gpu_kernels_(weights.gpu_kernels()) {}

at::Tensor Upsample2d::operator()(const at::Tensor& x,
                                  const std::array<std::int64_t, 2>& size) const {
  if (gpu_kernels_ && size[0] == 2 * x.size(2) && size[1] == 2 * x.size(3) &&
      gpu_kernels_->takes_upsample(x)) {
    return conv_(gpu_kernels_->upsample_twice(x));
  }
  return conv_(at::upsample_nearest2d(x, size));
}

LackingBias Upsample2d::take_bias() {
  return conv_.bias_kernels() ? LackingBias(conv_.take_bias()) : std::nullopt;
}

at::Tensor Upsample2d::operator()(const at::Tensor& x) const {
  return (*this)(x, {2 * x.size(2), 2 * x.size(3)});
}

} // namespace sdbench
