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

std::optional<at::Tensor> GroupNorm::by_kernel(const at::Tensor& x, Then then) const {
  const bool silu = then == Then::kSilu;
  if (gpu_kernels_ && gpu_kernels_->takes_group_norm(x, groups_)) {
    return gpu_kernels_->group_norm(x, weight_, bias_, groups_, eps_, silu);
  }
  if (const auto instructions = cpu_kernel_ ? CpuGroupNorm::instructions(x) : std::nullopt) {
    return (*cpu_kernel_)(x, silu, *instructions);
  }
  return std::nullopt;
}

at::Tensor GroupNorm::operator()(const at::Tensor& x) const {
  const auto normed = by_kernel(x, Then::kNothing);
  return normed ? *normed : at::group_norm(x, groups_, weight_, bias_, eps_);
}

at::Tensor GroupNorm::silu(const at::Tensor& x) const {
  if (auto activated = by_kernel(x, Then::kSilu)) {
    return *std::move(activated);
  }
  at::Tensor normed = at::group_norm(x, groups_, weight_, bias_, eps_);
  return at::silu_(normed); // in place: only this function has it
}

at::Tensor GroupNorm::silu_of_sum(at::Tensor x, const at::Tensor& added) const {
  if (gpu_kernels_ && gpu_kernels_->takes_group_norm_of_sum(x, added, groups_)) {
    return gpu_kernels_->group_norm(x, weight_, bias_, groups_, eps_, true, added);
  }
  x.add_(added);
  return silu(x);
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
    return kernels_->layer_norm(x, *addend_, weight_, bias_, eps_);
  }
  return at::layer_norm(addend_ ? x + *addend_ : x, weight_.sizes(), weight_, bias_, eps_);
}

void LayerNorm::accept_input_without(const LackingBias& lacking) {
  if (lacking) {
    addend_ = lacking->to(weight_.scalar_type());
  }
}

} // namespace sdbench
