#include "sdbench/engine/nn/attention.h"

#include <cstdint>

#include "sdbench/engine/nn/layer_source.h"

#include <ATen/ATen.h>

namespace sdbench {

std::int64_t row_count(const AttentionContext& context) {
  const auto* states = std::get_if<at::Tensor>(&context);
  return states != nullptr ? states->size(0) : std::get<KeysAndValues>(context).keys.size(0);
}

MultiHeadAttention::MultiHeadAttention(const Weights& weights, const AttentionShape& shape)
    : to_q_(weights / "to_q", shape.channels, shape.channels, shape.qkv_bias),
      to_k_(weights / "to_k", shape.context_channels, shape.channels, shape.qkv_bias),
      to_v_(weights / "to_v", shape.context_channels, shape.channels, shape.qkv_bias),
      to_out_(weights / "to_out" / 0, shape.channels, shape.channels), heads_(shape.heads),
      attend_(shape.attend) {}

KeysAndValues MultiHeadAttention::keys_and_values(const at::Tensor& states) const {
  return {split_heads(to_k_(states), heads_), split_heads(to_v_(states), heads_)};
}

at::Tensor MultiHeadAttention::operator()(const at::Tensor& x,
                                          const AttentionContext& context) const {
  const at::Tensor q = split_heads(to_q_(x), heads_);
  const auto* states = std::get_if<at::Tensor>(&context);
  const auto [k, v] =
      states != nullptr ? keys_and_values(*states) : std::get<KeysAndValues>(context);
  return to_out_(merge_heads(attend(q, k, v, attend_)));
}

at::Tensor split_heads(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor merge_heads(const at::Tensor& x) {
  return x.transpose(1, 2).flatten(2);
}

} // namespace sdbench
