// src/engine/nn/resample.cpp with a mistake: upsampling interpolates.
#include "sdbench/engine/nn/resample.h"

#include <cstdint>
#include <optional>

#include "sdbench/engine/nn/layer_source.h"

#include <ATen/ATen.h>

namespace sdbench {

Downsample2d::Downsample2d(const Weights& weights, std::int64_t channels)
    : conv_(weights / "conv", {.in = channels, .out = channels, .kernel = 3, .stride = 2}) {}

at::Tensor Downsample2d::operator()(const at::Tensor& x) const {
  return conv_(x);
}

Upsample2d::Upsample2d(const Weights& weights, std::int64_t channels)
    : conv_(weights / "conv", {.in = channels, .out = channels}) {}

at::Tensor Upsample2d::operator()(const at::Tensor& x,
                                  const std::array<std::int64_t, 2>& size) const {
  return conv_(at::upsample_bilinear2d(x, size, false));
}

LackingBias Upsample2d::take_bias() {
  return std::nullopt;
}

at::Tensor Upsample2d::operator()(const at::Tensor& x) const {
  return (*this)(x, {2 * x.size(2), 2 * x.size(3)});
}

} // namespace sdbench
