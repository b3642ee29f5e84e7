#include "sdbench/engine/nn/embeddings.h"
#include "sdbench/engine/nn/layer_source.h"

#include <cmath>

#include <ATen/ATen.h>

namespace sdbench {

SinusoidalEmbedding::SinusoidalEmbedding(std::int64_t width, bool flip_sin_to_cos,
                                         double freq_shift, at::Device device)
    : cosines_first_(flip_sin_to_cos) {
  const std::int64_t half = width / 2;
  const double shifted = static_cast<double>(half) - freq_shift;
  // The order of operations is the oracle's: another order changes the last bit, and a timestep of
  // up to 999 magnifies that.
  const at::Tensor ramp = at::arange(half, at::TensorOptions(at::kFloat).device(device));
  frequencies_ = ((ramp * -std::log(10000.0)) / shifted).exp().unsqueeze(0);
}

at::Tensor SinusoidalEmbedding::operator()(const at::Tensor& numbers) const {
  const at::Tensor angles = numbers.to(at::kFloat).unsqueeze(1) * frequencies_;
  return cosines_first_ ? at::cat({angles.cos(), angles.sin()}, 1)
                        : at::cat({angles.sin(), angles.cos()}, 1);
}

at::Tensor embed_guidance(const at::Tensor& scale, std::int64_t width) {
  const std::int64_t half = width / 2;
  // The oracle's order of operations, as above.
  const at::Tensor step = at::log(at::full({}, 10000.0, scale.options())) / (half - 1);
  const at::Tensor frequencies = (at::arange(half, scale.options()) * -step).exp().unsqueeze(0);
  const at::Tensor angles = ((scale - 1) * 1000.0).unsqueeze(1) * frequencies;
  return at::cat({angles.sin(), angles.cos()}, 1);
}

TimestepEmbedding::TimestepEmbedding(const Weights& weights, std::int64_t in, std::int64_t out,
                                     std::optional<std::int64_t> condition)
    : linear_1_(weights / "linear_1", in, out), linear_2_(weights / "linear_2", out, out) {
  if (condition) {
    condition_.emplace(weights / "cond_proj", *condition, in, Bias::kNo);
  }
}

at::Tensor TimestepEmbedding::operator()(const at::Tensor& x) const {
  return linear_2_(at::silu(linear_1_(x)));
}

at::Tensor TimestepEmbedding::operator()(const at::Tensor& x, const at::Tensor& condition) const {
  return (*this)(x + condition_.value()(condition));
}

at::TensorOptions TimestepEmbedding::options() const {
  return linear_1_.options();
}

} // namespace sdbench
