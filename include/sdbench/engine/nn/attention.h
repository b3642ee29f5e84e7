#pragma once

#include <variant>

#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

struct AttentionShape {
  std::int64_t channels = 0;
  std::int64_t context_channels = 0; ///< width of the states; `channels` for self-attention
  std::int64_t heads = 1;
  Bias qkv_bias = Bias::kNo;
  AttendOptions attend = {};
};

/// One attention layer's keys and values of a context, heads split: [B, heads, M, D] each.
struct KeysAndValues {
  at::Tensor keys;
  at::Tensor values;
};

/// Context of the queries: states [B, M, context_channels], which the layer projects to keys and
/// values in each call, or keys and values that this layer computed from them before.
using AttentionContext = std::variant<at::Tensor, KeysAndValues>;

/// B of the context.
[[nodiscard]] std::int64_t row_count(const AttentionContext& context);

/// Multi-head attention with diffusers' key names: `to_q`, `to_k`, `to_v`, `to_out.0`.
class MultiHeadAttention {
public:
  MultiHeadAttention(const Weights& weights, const AttentionShape& shape);
  /// x [B, N, channels] -> [B, N, channels].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const AttentionContext& context) const;
  /// This layer's keys and values for states [B, M, context_channels], for any number of calls.
  [[nodiscard]] KeysAndValues keys_and_values(const at::Tensor& states) const;

private:
  Linear to_q_;
  Linear to_k_;
  Linear to_v_;
  Linear to_out_;
  std::int64_t heads_;
  AttendOptions attend_;
};

/// [B, N, heads * D] -> [B, heads, N, D], a view.
[[nodiscard]] at::Tensor split_heads(const at::Tensor& x, std::int64_t heads);
/// [B, heads, N, D] -> [B, N, heads * D].
[[nodiscard]] at::Tensor merge_heads(const at::Tensor& x);

} // namespace sdbench
