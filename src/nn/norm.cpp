#include "sdbench/nn/norm.h"

#include <ATen/ATen.h>

namespace sdbench {

GroupNorm::GroupNorm(const Weights& weights, const GroupNormShape& shape)
    : weight_(weights.take("weight", {shape.channels})),
      bias_(weights.take("bias", {shape.channels})), groups_(shape.groups), eps_(shape.eps) {}

at::Tensor GroupNorm::operator()(const at::Tensor& x) const {
  return at::group_norm(x, groups_, weight_, bias_, eps_);
}

at::Tensor GroupNorm::silu(const at::Tensor& x) const {
  at::Tensor normed = (*this)(x);
  return at::silu_(normed); // nobody else has it
}

LayerNorm::LayerNorm(const Weights& weights, std::int64_t channels, double eps)
    : weight_(weights.take("weight", {channels})), bias_(weights.take("bias", {channels})),
      eps_(eps) {}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, weight_.sizes(), weight_, bias_, eps_);
}

} // namespace sdbench
