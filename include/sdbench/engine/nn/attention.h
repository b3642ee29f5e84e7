#pragma once

#include <optional>
#include <variant>

#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

struct AttentionShape {
  std::int64_t channels = 0;
  /// Width of the context. Empty for self-attention, whose context is its input.
  std::optional<std::int64_t> context_channels = {};
  std::int64_t heads = 1;
  Bias qkv_bias = Bias::kNo;
  AttendOptions attend = {};
};

/// The keys and values that one attention layer computes from a context, with heads split: [B,
/// heads, M, D] each.
struct KeysAndValues {
  at::Tensor keys;
  at::Tensor values;
};

/// What the queries attend to: states [B, M, context_channels], which the layer projects to keys
/// and values in each call, or keys and values that the layer has already computed from states.
using AttentionContext = std::variant<at::Tensor, KeysAndValues>;

/// The batch size B of the context.
[[nodiscard]] std::int64_t row_count(const AttentionContext& context);

/// Multi-head attention with diffusers' key names: `to_q`, `to_k`, `to_v`, `to_out.0`.
class MultiHeadAttention {
public:
  MultiHeadAttention(const Weights& weights, const AttentionShape& shape);
  /// Self-attention: x [B, N, channels] -> [B, N, channels].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;
  /// Self-attention, added to a residual stream: see Linear::added_to().
  [[nodiscard]] at::Tensor added_to(const at::Tensor& stream, const at::Tensor& x) const;
  /// The same of cross-attention.
  [[nodiscard]] at::Tensor added_to(const at::Tensor& stream, const at::Tensor& x,
                                    const AttentionContext& context) const;
  [[nodiscard]] LackingBias left_out() const { return to_out_.left_out(); }
  /// Computes this layer's keys and values from states [B, M, context_channels]. They can be used
  /// in any number of calls.
  [[nodiscard]] KeysAndValues keys_and_values(const at::Tensor& states) const;

private:
  struct Projections {
    Linear q;
    Linear k;
    Linear v;
  };
  /// With GPU kernels, those of self-attention are one layer: a GPU computes one wide product
  /// faster than three narrow ones. A CPU does not.
  [[nodiscard]] static std::variant<Projections, Linear> projections(const Weights& weights,
                                                                     const AttentionShape& shape);
  /// The attention before to_out: [B, N, channels].
  [[nodiscard]] at::Tensor attended(const at::Tensor& x) const;
  [[nodiscard]] at::Tensor attended(const at::Tensor& x, const AttentionContext& context) const;

  std::variant<Projections, Linear> to_qkv_;
  Linear to_out_;
  std::int64_t heads_;
  AttendOptions attend_;
};

/// [B, N, heads * D] -> [B, heads, N, D], a view.
[[nodiscard]] at::Tensor split_heads(const at::Tensor& x, std::int64_t heads);
/// [B, heads, N, D] -> [B, N, heads * D].
[[nodiscard]] at::Tensor merge_heads(const at::Tensor& x);

} // namespace sdbench
