#include "sdbench/engine/nn/norm.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/engine/kernels/gpu_kernels.h"

namespace sdbench {

GroupNorm::GroupNorm(const Weights& weights, const GroupNormShape& shape)
    : weight_(weights.take("weight", {shape.channels})),
      bias_(weights.take("bias", {shape.channels})), groups_(shape.groups), eps_(shape.eps),
      gpu_kernels_(weights.gpu_kernels()) {
  if (weights.has_cpu_kernels()) {
    cpu_kernel_.emplace(weight_, bias_, groups_, eps_);
  }
}

at::Tensor GroupNorm::normed(const at::Tensor& x, Then then) const {
  const bool silu = then == Then::kSilu;
  if (gpu_kernels_ && gpu_kernels_->takes_group_norm(x, groups_, addend_)) {
    return gpu_kernels_->group_norm(x, weight_, bias_, groups_, eps_, silu, addend_);
  }
  const at::Tensor whole = addend_.defined() ? x + addend_ : x;
  if (const auto instructions = cpu_kernel_ ? CpuGroupNorm::instructions(whole) : std::nullopt) {
    return (*cpu_kernel_)(whole, silu, *instructions);
  }
  at::Tensor result = at::group_norm(whole, groups_, weight_, bias_, eps_);
  return silu ? at::silu_(result) : result; // in place: only this function has it
}

at::Tensor GroupNorm::operator()(const at::Tensor& x) const {
  return normed(x, Then::kNothing);
}

at::Tensor GroupNorm::silu(const at::Tensor& x) const {
  return normed(x, Then::kSilu);
}

at::Tensor GroupNorm::silu_of_sum(at::Tensor x, const at::Tensor& added) const {
  if (gpu_kernels_ && gpu_kernels_->takes_group_norm(x, groups_, added)) {
    return gpu_kernels_->group_norm(x, weight_, bias_, groups_, eps_, true, added);
  }
  x.add_(added);
  return silu(x);
}

void GroupNorm::accept_input_without(const LackingBias& lacking) {
  if (lacking) {
    addend_ = lacking->to(weight_.scalar_type()).view({1, -1, 1, 1});
  }
}

LayerNorm::LayerNorm(const Weights& weights, std::int64_t channels, double eps)
    : weight_(weights.take("weight", {channels})), bias_(weights.take("bias", {channels})),
      eps_(eps), kernels_(weights.gpu_kernels()) {
  if (kernels_) {
    addend_ = at::zeros_like(bias_);
  }
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  if (kernels_ && kernels_->takes_layer_norm(x)) {
    return kernels_->layer_norm(x, addend_, weight_, bias_, eps_);
  }
  return at::layer_norm(addend_.defined() ? x + addend_ : x, weight_.sizes(), weight_, bias_, eps_);
}

void LayerNorm::accept_input_without(const LackingBias& lacking) {
  if (lacking) {
    addend_ = lacking->to(weight_.scalar_type());
  }
}

} // namespace sdbench
