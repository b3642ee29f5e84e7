#include "sdbench/engine/nn/transformer_2d.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/with_rows.h"

namespace sdbench {
namespace {

at::Tensor to_sequence(const at::Tensor& x) { // [B, C, H, W] -> [B, H * W, C]
  return x.permute({0, 2, 3, 1}).flatten(1, 2);
}

/// `like`: the image before to_sequence(); its memory format is kept.
at::Tensor to_image(const at::Tensor& x, const at::Tensor& like) {
  return x.unflatten(1, {like.size(2), like.size(3)})
      .permute({0, 3, 1, 2})
      .contiguous(like.suggest_memory_format()); // -> [B, C, H, W]
}

std::vector<TransformerBlock> make_blocks(const Weights& weights, const TransformerShape& shape) {
  std::vector<TransformerBlock> blocks;
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    blocks.emplace_back(weights / i, shape,
                        blocks.empty() ? std::nullopt : blocks.back().left_out());
  }
  return blocks;
}

} // namespace

Transformer2d::Transformer2d(const Weights& weights, const TransformerShape& shape)
    : norm_(weights / "norm", {shape.channels, shape.norm_groups, 1e-6}),
      proj_in_(projection(weights / "proj_in", shape)),
      blocks_(make_blocks(weights / "transformer_blocks", shape)),
      proj_out_(projection(weights / "proj_out", shape)) {
  if (auto* linear = std::get_if<Linear>(&proj_out_); linear != nullptr && !blocks_.empty()) {
    linear->accept_input_without(blocks_.back().left_out());
  }
}

void Transformer2d::leave_bias_to(ResnetBlock& maker) {
  const auto* linear = std::get_if<Linear>(&proj_out_);
  adds_in_place_ = linear != nullptr && leave_bias(linear->left_out(), maker, norm_);
}

Transformer2d::Projection Transformer2d::projection(const Weights& weights,
                                                    const TransformerShape& shape) {
  if (shape.linear_projection) {
    return Linear(weights, shape.channels, shape.channels);
  }
  if (weights.gpu_kernels()) {
    // The same numbers as a matrix product, which adds its bias as it writes. A convolution on a
    // GPU takes another pass over memory for it.
    const at::Tensor weight = weights.take("weight", {shape.channels, shape.channels, 1, 1});
    return Linear(weight.flatten(1), weights.take("bias", {shape.channels}), true);
  }
  return pointwise_conv(weights, shape.channels, shape.channels);
}

TransformerText Transformer2d::text(const at::Tensor& states, TextForm form) const {
  TransformerText result;
  for (const TransformerBlock& block : blocks_) {
    result.push_back(form == TextForm::kKeys ? block.text_keys(states) : states);
  }
  return result;
}

at::Tensor Transformer2d::operator()(const at::Tensor& x, const TransformerText& text) const {
  at::Tensor h = norm_(x);
  if (const auto* conv = std::get_if<Conv2d>(&proj_in_)) {
    h = to_sequence((*conv)(h));
  } else {
    h = std::get<Linear>(proj_in_)(to_sequence(h));
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    h = blocks_[i](h, text.at(i));
  }
  const at::Tensor before = with_rows(x, h.size(0));
  if (const auto* conv = std::get_if<Conv2d>(&proj_out_)) {
    return (*conv)(to_image(h, x)) + before;
  }
  const auto& linear = std::get<Linear>(proj_out_);
  return adds_in_place_ ? to_image(linear.added_to(to_sequence(before), h), x)
                        : to_image(linear(h), x) + before;
}

} // namespace sdbench
