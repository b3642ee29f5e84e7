#pragma once

#include <variant>

#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

struct AttentionShape {
  std::int64_t channels = 0;
  std::int64_t context_channels = 0; ///< of keys and values; `channels` for self-attention
  std::int64_t heads = 1;
  Bias qkv_bias = Bias::kNo;
  AttendOptions attend = {};
};

/// What one attention layer makes of a context, heads apart: [B, heads, M, D] each.
struct KeysAndValues {
  at::Tensor keys;
  at::Tensor values;
};

/// What queries look at: states [B, M, context_channels], of which a layer makes keys and values in
/// each call, or those that it made of them before.
using AttentionContext = std::variant<at::Tensor, KeysAndValues>;

/// Its B.
[[nodiscard]] std::int64_t row_count(const AttentionContext& context);

/// Multi-head attention with diffusers' key names: `to_q`, `to_k`, `to_v`, `to_out.0`.
class MultiHeadAttention {
public:
  MultiHeadAttention(const Weights& weights, const AttentionShape& shape);
  /// x [B, N, channels] -> [B, N, channels].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const AttentionContext& context) const;
  /// This layer's own, for any number of calls with the same states [B, M, context_channels].
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
