#pragma once

#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/feed_forward.h"
#include "sdbench/engine/nn/norm.h"

namespace sdbench {

struct TransformerShape {
  std::int64_t channels = 0;
  std::int64_t context_channels = 0; ///< width of the text states
  std::int64_t heads = 1;
  std::int64_t layers = 1;        ///< blocks in a Transformer2d
  bool linear_projection = false; ///< proj_in and proj_out are linear layers, not 1x1 convolutions
  std::int64_t norm_groups = 32;
  AttendOptions attend = {};
};

/// diffusers' BasicTransformerBlock: self-attention, cross-attention, feed-forward, each with a
/// norm before it and a residual connection. Keys: `norm1 attn1 norm2 attn2 norm3 ff`.
class TransformerBlock {
public:
  /// `lacking`: the bias that the input x lacks.
  TransformerBlock(const Weights& weights, const TransformerShape& shape,
                   const LackingBias& lacking = {});
  /// x [B, N, channels] -> [T, N, channels]. `text`: states [T, M, context_channels], or the result
  /// of text_keys() for these states. T must be a multiple of B; x is repeated T / B times, once
  /// for each group of B texts. With GPU kernels, x is overwritten, and the result lacks
  /// left_out().
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const AttentionContext& text) const;
  /// The keys and values of `states`. They can be used in any number of calls with the same text.
  [[nodiscard]] AttentionContext text_keys(const at::Tensor& states) const;
  [[nodiscard]] const LackingBias& left_out() const { return left_out_; }

private:
  LayerNorm norm1_;
  MultiHeadAttention attn1_;
  LayerNorm norm2_;
  MultiHeadAttention attn2_;
  LayerNorm norm3_;
  FeedForward ff_;
  LackingBias left_out_;
};

} // namespace sdbench
