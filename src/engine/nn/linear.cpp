#include "sdbench/engine/nn/linear.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

Linear::Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias)
    : weight_(weights.take("weight", {out, in})), options_(weight_.options()) {
  if (bias == Bias::kYes) {
    bias_ = weights.take("bias", {out});
  }
  if (weights.packing() != Packing::kNone) {
    packed_.emplace(weight_, bias_);
    weight_.reset();
  }
}

void Linear::add_to_bias(const at::Tensor& more) {
  bias_ = bias_.value() + more;
}
Linear::Linear(at::Tensor weight, std::optional<at::Tensor> bias)
    : weight_(std::move(weight)), options_(weight_.options()), bias_(std::move(bias)) {}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x) : at::linear(x, weight_, bias_);
}

} // namespace sdbench
