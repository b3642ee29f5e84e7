#include "sdbench/engine/nn/transformer_block.h"

#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/with_rows.h"

namespace sdbench {
namespace {

AttentionShape attention_shape(const TransformerShape& shape,
                               std::optional<std::int64_t> context_channels) {
  return {.channels = shape.channels,
          .context_channels = context_channels,
          .heads = shape.heads,
          .qkv_bias = Bias::kNo,
          .attend = shape.attend};
}

/// Returns x plus the attention's answer, and the norm of that sum. Uses a fused kernel if there is
/// one.
LayerNorm::SumAndNorm attended(const at::Tensor& answer, const at::Tensor& x,
                               const LayerNorm& norm) {
  if (norm.joins_sums()) {
    return norm.of_sum(answer, x);
  }
  const at::Tensor sum = answer + x;
  return {sum, norm(sum)};
}

} // namespace

TransformerBlock::TransformerBlock(const Weights& weights, const TransformerShape& shape)
    : norm1_(weights / "norm1", shape.channels),
      attn1_(weights / "attn1", attention_shape(shape, std::nullopt)),
      norm2_(weights / "norm2", shape.channels),
      attn2_(weights / "attn2", attention_shape(shape, shape.context_channels)),
      norm3_(weights / "norm3", shape.channels), ff_(weights / "ff", shape.channels) {}

AttentionContext TransformerBlock::text_keys(const at::Tensor& states) const {
  return attn2_.keys_and_values(states);
}

at::Tensor TransformerBlock::operator()(const at::Tensor& x, const AttentionContext& text) const {
  const auto [own, own_normed] = attended(attn1_(norm1_(x)), x, norm2_);
  const std::int64_t rows = row_count(text);
  const auto [h, h_normed] =
      attended(attn2_(with_rows(own_normed, rows), text), with_rows(own, rows), norm3_);
  return ff_(h_normed) + h;
}

} // namespace sdbench
