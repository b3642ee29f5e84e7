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
  adds_in_place_ = weights.gpu_kernels() != nullptr && !packed_;
}

LackingBias sum_of(const LackingBias& one, const LackingBias& other) {
  if (!one || !other) {
    return one ? one : other;
  }
  return *one + *other;
}

void Linear::add_to_bias(const at::Tensor& more) {
  bias_ = bias_.value() + more;
}

Linear::Linear(at::Tensor weight, std::optional<at::Tensor> bias, bool adds_in_place)
    : weight_(std::move(weight)), options_(weight_.options()), bias_(std::move(bias)),
      adds_in_place_(adds_in_place) {}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return packed_ ? (*packed_)(x) : at::linear(x, weight_, bias_);
}

at::Tensor Linear::added_to(const at::Tensor& stream, const at::Tensor& x) const {
  if (!adds_in_place_) {
    return (*this)(x) + stream;
  }
  // The matrix product adds to what is there (beta = 1). at::addmm() would copy the stream first.
  stream.view({-1, weight_.size(0)}).addmm_(x.reshape({-1, weight_.size(1)}), weight_.t());
  return stream;
}

LackingBias Linear::left_out() const {
  return adds_in_place_ && bias_ ? LackingBias(bias_->to(at::kFloat)) : std::nullopt;
}

void Linear::accept_input_without(const LackingBias& lacking) {
  if (lacking) {
    const at::Tensor product = at::mv(weight_.to(at::kFloat), *lacking);
    bias_ = (bias_ ? product + *bias_ : product).to(weight_.scalar_type());
  }
}

} // namespace sdbench
