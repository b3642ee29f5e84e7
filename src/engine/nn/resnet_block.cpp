#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/layer_source.h"

#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

std::optional<Linear> time_projection(const Weights& weights, const ResnetShape& shape) {
  if (!shape.time_channels) {
    return std::nullopt;
  }
  return Linear(weights, *shape.time_channels, shape.out);
}

std::optional<Conv2d> shortcut(const Weights& weights, const ResnetShape& shape) {
  if (shape.in == shape.out) {
    return std::nullopt;
  }
  return pointwise_conv(weights, shape.in, shape.out);
}

} // namespace

ResnetBlock::ResnetBlock(const Weights& weights, const ResnetShape& shape)
    : norm1_(weights / "norm1", {shape.in, shape.norm_groups, shape.norm_eps}),
      conv1_(weights / "conv1", {.in = shape.in, .out = shape.out}),
      time_emb_proj_(time_projection(weights / "time_emb_proj", shape)),
      norm2_(weights / "norm2", {shape.out, shape.norm_groups, shape.norm_eps}),
      conv2_(weights / "conv2", {.in = shape.out, .out = shape.out}),
      conv_shortcut_(shortcut(weights / "conv_shortcut", shape)) {
  if (conv1_.bias_kernels()) {
    take_biases();
  }
}

/// With our GPU kernels, no bias costs a pass of its own: the second norm adds the first
/// convolution's together with the time shift, and the residual sum adds the others.
void ResnetBlock::take_biases() {
  const at::Tensor first = conv1_.take_bias();
  if (time_emb_proj_) {
    time_emb_proj_->add_to_bias(first);
  } else {
    conv1_bias_ = first.view({1, -1, 1, 1});
  }
  sum_bias_ = conv2_.take_bias();
  if (conv_shortcut_) {
    sum_bias_ = sum_bias_ + conv_shortcut_->take_bias();
  }
}

void ResnetBlock::add_to_result(const at::Tensor& bias) {
  sum_bias_ = (sum_bias_ + bias).to(sum_bias_.scalar_type());
}

void ResnetBlock::accept_input_without(const LackingBias& lacking) {
  if (!lacking) {
    return;
  }
  norm1_.accept_input_without(lacking);
  // The shortcut has no bias now, so it makes of the input's bias what the result lacks.
  add_to_result(conv_shortcut_ ? conv_shortcut_->of_pixel(*lacking) : *lacking);
}

bool leave_bias(const LackingBias& bias, ResnetBlock& maker, GroupNorm& norm) {
  if (!bias || !maker.adds_biases()) {
    return false;
  }
  maker.add_to_result(*bias);
  norm.accept_input_without(-*bias);
  return true;
}

at::Tensor ResnetBlock::operator()(const at::Tensor& x) const {
  return shifted(x, conv1_bias_);
}

at::Tensor ResnetBlock::operator()(const at::Tensor& x, const at::Tensor& shift) const {
  return shifted(x, shift);
}

at::Tensor ResnetBlock::time_shifts(const at::Tensor& time) const {
  return time_emb_proj_.value()(time).unsqueeze(-1).unsqueeze(-1);
}

/// Frees each tensor at once after its last use: with large images, these set a decode's peak
/// memory.
at::Tensor ResnetBlock::shifted(const at::Tensor& x, const at::Tensor& shift) const {
  at::Tensor h = conv1_(norm1_.silu(x));
  h = shift.defined() ? norm2_.silu_of_sum(std::move(h), shift) : norm2_.silu(h);
  h = conv2_(h);
  const at::Tensor sum_with = conv_shortcut_ ? (*conv_shortcut_)(x) : x;
  if (sum_bias_.defined()) {
    add_bias(h, sum_bias_, sum_with, *conv1_.bias_kernels());
    return h;
  }
  return sum_with.scalar_type() == h.scalar_type() ? h.add_(sum_with)
                                                   : h + sum_with; // under autocast
}

} // namespace sdbench
