#pragma once

#include <variant>
#include <vector>

#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/transformer_block.h"

namespace sdbench {

/// How a text is stored for many calls. `kStates`: as states, from which each call computes keys
/// and values again. `kKeys`: as keys and values.
enum class TextForm { kStates, kKeys };

/// The text inputs of a Transformer2d, one for each of its blocks.
using TransformerText = std::vector<AttentionContext>;

/// diffusers' Transformer2DModel: passes an image as a sequence of pixels through transformer
/// blocks, and adds the result to the image. Keys: `norm` (eps 1e-6), `proj_in`,
/// `transformer_blocks.N`, `proj_out`.
class Transformer2d {
public:
  Transformer2d(const Weights& weights, const TransformerShape& shape);
  /// x [B, channels, H, W] -> [T, channels, H, W], where `text` has T rows. T is a multiple of B: x
  /// is repeated T / B times. After leave_bias_to(), x may be overwritten.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const TransformerText& text) const;
  /// Makes the text inputs from `states` [B, M, context_channels], for any number of calls.
  [[nodiscard]] TransformerText text(const at::Tensor& states, TextForm form) const;
  /// Lets the block that makes x add the output projection's bias, if it adds its own biases. Then
  /// that projection adds only its product to x, in place, and there is no pass for the sum.
  void leave_bias_to(ResnetBlock& maker);

private:
  using Projection = std::variant<Conv2d, Linear>;
  [[nodiscard]] static Projection projection(const Weights& weights, const TransformerShape& shape);

  GroupNorm norm_;
  Projection proj_in_;
  std::vector<TransformerBlock> blocks_;
  Projection proj_out_;
  bool adds_in_place_ = false;
};

} // namespace sdbench
