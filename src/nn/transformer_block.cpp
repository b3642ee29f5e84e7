#include "sdbench/nn/transformer_block.h"

#include <ATen/ATen.h>

#include "sdbench/nn/with_rows.h"

namespace sdbench {
namespace {

AttentionShape attention_shape(const TransformerShape& shape, std::int64_t context_channels) {
  return {.channels = shape.channels,
          .context_channels = context_channels,
          .heads = shape.heads,
          .qkv_bias = Bias::kNo,
          .attend = shape.attend};
}

} // namespace

TransformerBlock::TransformerBlock(const Weights& weights, const TransformerShape& shape)
    : norm1_(weights / "norm1", shape.channels),
      attn1_(weights / "attn1", attention_shape(shape, shape.channels)),
      norm2_(weights / "norm2", shape.channels),
      attn2_(weights / "attn2", attention_shape(shape, shape.context_channels)),
      norm3_(weights / "norm3", shape.channels), ff_(weights / "ff", shape.channels) {}

AttentionContext TransformerBlock::text_keys(const at::Tensor& states) const {
  return attn2_.keys_and_values(states);
}

at::Tensor TransformerBlock::operator()(const at::Tensor& x, const AttentionContext& text) const {
  const at::Tensor normed = norm1_(x);
  at::Tensor h = with_rows(attn1_.plus(normed, normed, x), row_count(text));
  h = attn2_.plus(norm2_(h), text, h);
  return ff_.plus(norm3_(h), h);
}

} // namespace sdbench
