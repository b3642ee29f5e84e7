#include "sdbench/nn/linear.h"

#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

Linear::Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias)
    : weight_(weights.take("weight", {out, in})), options_(weight_.options()) {
  pack(weights);
  if (bias == Bias::kYes) {
    bias_ = weights.take("bias", {out});
  }
}

Linear::Linear(const Weights& weights, at::Tensor weight, at::Tensor bias)
    : weight_(std::move(weight)), options_(weight_.options()), bias_(std::move(bias)) {
  pack(weights);
}

void Linear::pack(const Weights& weights) {
  if (weights.packing() != Packing::kNone) {
    packed_.emplace(weight_, weights.packing());
    weight_.reset();
    fuses_ = weights.wants_fused();
  }
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x, bias_) : at::linear(x, weight_, bias_);
}

at::Tensor Linear::plus(const at::Tensor& x, const at::Tensor& other) const {
  return fuses_ ? packed_->plus(x, bias_, other) : (*this)(x) + other;
}

at::Tensor Linear::gated_by(const Linear& gate, const at::Tensor& x) const {
  return packed_->times(x, bias_, gate.packed_->gelu(x, gate.bias_));
}

} // namespace sdbench
