#include "sdbench/engine/nn/attention.h"

#include <array>
#include <cstdint>
#include <vector>

#include "sdbench/engine/nn/layer_source.h"

#include <ATen/ATen.h>

namespace sdbench {
namespace {

/// Queries, keys and values as one layer: their weights one after another.
Linear joined_projections(const Weights& weights, const AttentionShape& shape) {
  constexpr std::array kNames{"to_q", "to_k", "to_v"};
  std::vector<at::Tensor> matrices;
  std::vector<at::Tensor> biases;
  for (const char* name : kNames) {
    const Weights layer = weights / name;
    matrices.push_back(layer.take("weight", {shape.channels, shape.channels}));
    if (shape.qkv_bias == Bias::kYes) {
      biases.push_back(layer.take("bias", {shape.channels}));
    }
  }
  return {at::cat(matrices), biases.empty() ? std::nullopt : std::optional(at::cat(biases))};
}

} // namespace

std::int64_t row_count(const AttentionContext& context) {
  const auto* states = std::get_if<at::Tensor>(&context);
  return states != nullptr ? states->size(0) : std::get<KeysAndValues>(context).keys.size(0);
}

MultiHeadAttention::MultiHeadAttention(const Weights& weights, const AttentionShape& shape)
    : to_qkv_(projections(weights, shape)),
      to_out_(weights / "to_out" / 0, shape.channels, shape.channels), heads_(shape.heads),
      attend_(shape.attend) {}

std::variant<MultiHeadAttention::Projections, Linear>
MultiHeadAttention::projections(const Weights& weights, const AttentionShape& shape) {
  if (!shape.context_channels && weights.gpu_kernels()) {
    return joined_projections(weights, shape);
  }
  const auto layer = [&](const char* name, std::int64_t in) {
    return Linear(weights / name, in, shape.channels, shape.qkv_bias);
  };
  const std::int64_t context_channels = shape.context_channels.value_or(shape.channels);
  return Projections{layer("to_q", shape.channels), layer("to_k", context_channels),
                     layer("to_v", context_channels)};
}

KeysAndValues MultiHeadAttention::keys_and_values(const at::Tensor& states) const {
  const auto& layers = std::get<Projections>(to_qkv_);
  return {split_heads(layers.k(states), heads_), split_heads(layers.v(states), heads_)};
}

at::Tensor MultiHeadAttention::attended(const at::Tensor& x) const {
  const auto* joined = std::get_if<Linear>(&to_qkv_);
  if (joined == nullptr) {
    return attended(x, x);
  }
  const std::vector<at::Tensor> parts = (*joined)(x).chunk(3, -1);
  // Slices of rows: the last stride is 1, which is all that attend() needs.
  return merge_heads(attend(split_heads(parts[0], heads_), split_heads(parts[1], heads_),
                            split_heads(parts[2], heads_), attend_));
}

at::Tensor MultiHeadAttention::attended(const at::Tensor& x,
                                        const AttentionContext& context) const {
  const at::Tensor q = split_heads(std::get<Projections>(to_qkv_).q(x), heads_);
  const auto* states = std::get_if<at::Tensor>(&context);
  const auto [k, v] =
      states != nullptr ? keys_and_values(*states) : std::get<KeysAndValues>(context);
  return merge_heads(attend(q, k, v, attend_));
}

at::Tensor MultiHeadAttention::operator()(const at::Tensor& x) const {
  return to_out_(attended(x));
}

at::Tensor MultiHeadAttention::added_to(const at::Tensor& stream, const at::Tensor& x) const {
  return to_out_.added_to(stream, attended(x));
}

at::Tensor MultiHeadAttention::added_to(const at::Tensor& stream, const at::Tensor& x,
                                        const AttentionContext& context) const {
  return to_out_.added_to(stream, attended(x, context));
}

at::Tensor split_heads(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor merge_heads(const at::Tensor& x) {
  return x.transpose(1, 2).flatten(2);
}

} // namespace sdbench
