#include "sdbench/nn/embeddings.h"
#include "sdbench/nn/weight_source.h"

#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>

namespace sdbench {

SinusoidalEmbedding::SinusoidalEmbedding(std::int64_t width, bool flip_sin_to_cos,
                                         double freq_shift, at::Device device)
    : cosines_first_(flip_sin_to_cos) {
  const std::int64_t half = width / 2;
  const double shifted = static_cast<double>(half) - freq_shift;
  // The order of operations is the oracle's: another order is off by a last bit, which times 999
  // shows.
  const at::Tensor ramp = at::arange(half, at::TensorOptions(at::kFloat).device(device));
  frequencies_ = ((ramp * -std::log(10000.0)) / shifted).exp().unsqueeze(0);
}

at::Tensor SinusoidalEmbedding::operator()(const at::Tensor& numbers) const {
  const at::Tensor angles = numbers.to(at::kFloat).unsqueeze(1) * frequencies_;
  return cosines_first_ ? at::cat({angles.cos(), angles.sin()}, 1)
                        : at::cat({angles.sin(), angles.cos()}, 1);
}

TimestepEmbedding::TimestepEmbedding(const Weights& weights, std::int64_t in, std::int64_t out)
    : linear_1_(weights / "linear_1", in, out), linear_2_(weights / "linear_2", out, out) {}

at::Tensor TimestepEmbedding::operator()(const at::Tensor& x) const {
  return linear_2_(at::silu(linear_1_(x)));
}

at::TensorOptions TimestepEmbedding::options() const {
  return linear_1_.options();
}

} // namespace sdbench
