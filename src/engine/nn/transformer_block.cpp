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

} // namespace

TransformerBlock::TransformerBlock(const Weights& weights, const TransformerShape& shape,
                                   const LackingBias& lacking)
    : norm1_(weights / "norm1", shape.channels),
      attn1_(weights / "attn1", attention_shape(shape, std::nullopt)),
      norm2_(weights / "norm2", shape.channels),
      attn2_(weights / "attn2", attention_shape(shape, shape.context_channels)),
      norm3_(weights / "norm3", shape.channels), ff_(weights / "ff", shape.channels) {
  norm1_.accept_input_without(lacking);
  left_out_ = sum_of(lacking, attn1_.left_out());
  norm2_.accept_input_without(left_out_);
  left_out_ = sum_of(left_out_, attn2_.left_out());
  norm3_.accept_input_without(left_out_);
  left_out_ = sum_of(left_out_, ff_.left_out());
}

AttentionContext TransformerBlock::text_keys(const at::Tensor& states) const {
  return attn2_.keys_and_values(states);
}

at::Tensor TransformerBlock::operator()(const at::Tensor& x, const AttentionContext& text) const {
  const std::int64_t rows = row_count(text);
  at::Tensor h = attn1_.added_to(x, norm1_(x));
  const at::Tensor queries = with_rows(norm2_(h), rows);
  h = attn2_.added_to(with_rows(h, rows), queries, text);
  return ff_.added_to(h, norm3_(h));
}

} // namespace sdbench
