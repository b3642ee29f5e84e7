#include "sdbench/nn/linear.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

Linear::Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias)
    : weight_(weights.take("weight", {out, in})), options_(weight_.options()) {
  if (bias == Bias::kYes) {
    bias_ = weights.take("bias", {out});
  }
  pack(weights);
}

Linear::Linear(const Weights& weights, at::Tensor weight, at::Tensor bias)
    : weight_(std::move(weight)), options_(weight_.options()), bias_(std::move(bias)) {
  pack(weights);
}

void Linear::pack(const Weights& weights) {
  if (weights.packing() != Packing::kNone) {
    packed_.emplace(weight_, bias_, weights.packing());
    weight_.reset();
    fuses_ = weights.wants_fused();
  }
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x) : at::linear(x, weight_, bias_);
}

at::Tensor Linear::plus(const at::Tensor& x, const at::Tensor& other) const {
  return fuses_ ? packed_->plus(x, other) : (*this)(x) + other;
}

at::Tensor Linear::gated_by(const Linear& gate, const at::Tensor& x) const {
  return packed_->times(x, gate.packed_->gelu(x));
}

} // namespace sdbench
