#include "sdbench/nn/linear.h"

#include <ATen/ATen.h>

namespace sdbench {

Linear::Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias)
    : weight_(weights.take("weight", {out, in})), device_(weight_.device()) {
  if (weights.wants_packed()) {
    packed_.emplace(weight_);
    weight_.reset();
  }
  if (bias == Bias::kYes) {
    bias_ = weights.take("bias", {out});
  }
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x, bias_) : at::linear(x, weight_, bias_);
}

} // namespace sdbench
