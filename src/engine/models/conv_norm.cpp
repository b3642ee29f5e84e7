#include "conv_norm.h"

#include <cstdint>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

Conv2dShape without_bias(Conv2dShape shape) {
  shape.bias = Bias::kNo;
  return shape;
}

} // namespace

ConvNorm::ConvNorm(const Weights& conv_weights, const Weights& norm_weights, Conv2dShape shape)
    : conv_(conv_weights, without_bias(shape)), norm_(norm_weights, shape.out) {}

at::Tensor ConvNorm::operator()(const at::Tensor& x, Mode mode) const {
  return norm_(conv_(x), mode);
}

at::Tensor ConvNorm::relu(const at::Tensor& x, Mode mode) const {
  at::Tensor y = (*this)(x, mode);
  return at::relu_(y); // nobody else has it
}

at::Tensor mean_of_pixels(const at::Tensor& x) {
  return at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
}

} // namespace sdbench
