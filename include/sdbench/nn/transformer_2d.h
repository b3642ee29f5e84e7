#pragma once

#include <variant>
#include <vector>

#include "sdbench/nn/conv.h"
#include "sdbench/nn/transformer_block.h"

namespace sdbench {

/// diffusers' Transformer2DModel: an image as a sequence of pixels through transformer blocks,
/// added to its input. Keys: `norm` (eps 1e-6), `proj_in`, `transformer_blocks.N`, `proj_out`.
class Transformer2d {
public:
  Transformer2d(const Weights& weights, const TransformerShape& shape);
  /// x [B, channels, H, W], context [B, M, context_channels] -> [B, channels, H, W].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& context) const;

private:
  using Projection = std::variant<Conv2d, Linear>;
  [[nodiscard]] static Projection projection(const Weights& weights, const TransformerShape& shape);

  GroupNorm norm_;
  Projection proj_in_;
  std::vector<TransformerBlock> blocks_;
  Projection proj_out_;
};

} // namespace sdbench
