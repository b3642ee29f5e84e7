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
      conv_shortcut_(shortcut(weights / "conv_shortcut", shape)) {}

at::Tensor ResnetBlock::operator()(const at::Tensor& x) const {
  return finish(x, conv1_(norm1_.silu(x)));
}

at::Tensor ResnetBlock::operator()(const at::Tensor& x, const at::Tensor& shift) const {
  at::Tensor h = conv1_(norm1_.silu(x));
  h.add_(shift);
  return finish(x, std::move(h));
}

at::Tensor ResnetBlock::time_shifts(const at::Tensor& time) const {
  return time_emb_proj_.value()(time).unsqueeze(-1).unsqueeze(-1);
}

/// Frees each tensor at once after its last use: with large images, these set a decode's peak
/// memory.
at::Tensor ResnetBlock::finish(const at::Tensor& x, at::Tensor h) const {
  h = norm2_.silu(h);
  h = conv2_(h);
  const at::Tensor sum_with = conv_shortcut_ ? (*conv_shortcut_)(x) : x;
  return sum_with.scalar_type() == h.scalar_type() ? h.add_(sum_with)
                                                   : h + sum_with; // under autocast
}

} // namespace sdbench
