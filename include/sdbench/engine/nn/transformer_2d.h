#pragma once

#include <variant>
#include <vector>

#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/transformer_block.h"

namespace sdbench {

/// The form of a text that stays the same over many calls: states, from which each call computes
/// keys and values again, or the keys and values.
enum class TextForm { kStates, kKeys };

/// The text input of each block of a Transformer2d.
using TransformerText = std::vector<AttentionContext>;

/// diffusers' Transformer2DModel: an image as a sequence of pixels through transformer blocks,
/// added to its input. Keys: `norm` (eps 1e-6), `proj_in`, `transformer_blocks.N`, `proj_out`.
class Transformer2d {
public:
  Transformer2d(const Weights& weights, const TransformerShape& shape);
  /// x [B, channels, H, W] -> [T, channels, H, W]; T as in TransformerBlock.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const TransformerText& text) const;
  /// The text with `states` [B, M, context_channels], for any number of calls.
  [[nodiscard]] TransformerText text(const at::Tensor& states, TextForm form) const;

private:
  using Projection = std::variant<Conv2d, Linear>;
  [[nodiscard]] static Projection projection(const Weights& weights, const TransformerShape& shape);

  GroupNorm norm_;
  Projection proj_in_;
  std::vector<TransformerBlock> blocks_;
  Projection proj_out_;
};

} // namespace sdbench
