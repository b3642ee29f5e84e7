#include "sdbench/engine/models/clip_text_model.h"

#include <cstdint>
#include <string>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {
namespace {

std::vector<ClipEncoderLayer> make_layers(const Weights& weights, const ClipTextConfig& config) {
  std::vector<ClipEncoderLayer> layers;
  for (std::int64_t i = 0; i < config.layer_count; ++i) {
    layers.emplace_back(weights / i, config);
  }
  return layers;
}

std::optional<Linear> make_projection(const Weights& weights, const ClipTextConfig& config) {
  if (!config.projection_dim) {
    return std::nullopt;
  }
  return Linear(weights, config.hidden_size, *config.projection_dim, Bias::kNo);
}

} // namespace

ClipEncoderLayer::ClipEncoderLayer(const Weights& weights, const ClipTextConfig& config)
    : k_proj_(weights / "self_attn.k_proj", config.hidden_size, config.hidden_size),
      v_proj_(weights / "self_attn.v_proj", config.hidden_size, config.hidden_size),
      q_proj_(weights / "self_attn.q_proj", config.hidden_size, config.hidden_size),
      out_proj_(weights / "self_attn.out_proj", config.hidden_size, config.hidden_size),
      layer_norm1_(weights / "layer_norm1", config.hidden_size, config.layer_norm_eps),
      fc1_(weights / "mlp.fc1", config.hidden_size, config.intermediate_size),
      fc2_(weights / "mlp.fc2", config.intermediate_size, config.hidden_size),
      layer_norm2_(weights / "layer_norm2", config.hidden_size, config.layer_norm_eps),
      heads_(config.head_count), activation_(config.activation), kernels_(weights.gpu_kernels()) {}

at::Tensor ClipEncoderLayer::operator()(const at::Tensor& x) const {
  const at::Tensor h = x + attention(layer_norm1_(x));
  return h + mlp(layer_norm2_(h));
}

at::Tensor ClipEncoderLayer::attention(const at::Tensor& x) const {
  // Always libtorch's own kernel: 77 tokens leave nothing to gain.
  return out_proj_(
      merge_heads(attend(split_heads(q_proj_(x), heads_), split_heads(k_proj_(x), heads_),
                         split_heads(v_proj_(x), heads_), {.causal = true})));
}

at::Tensor ClipEncoderLayer::mlp(const at::Tensor& x) const {
  return fc2_(activated(fc1_(x)));
}

at::Tensor ClipEncoderLayer::activated(const at::Tensor& x) const {
  if (activation_ != ClipTextConfig::Activation::kQuickGelu) {
    return at::gelu(x);
  }
  return kernels_ && kernels_->takes_quick_gelu(x) ? kernels_->quick_gelu(x)
                                                   : x * at::sigmoid(x * 1.702);
}

ClipTextModel::ClipTextModel(const Weights& weights, const ClipTextConfig& config)
    : token_embedding_(weights.take("text_model.embeddings.token_embedding.weight",
                                    {config.vocab_size, config.hidden_size})),
      position_embedding_(weights.take("text_model.embeddings.position_embedding.weight",
                                       {config.max_position_count, config.hidden_size})),
      layers_(make_layers(weights / "text_model.encoder.layers", config)),
      final_layer_norm_(weights / "text_model.final_layer_norm", config.hidden_size,
                        config.layer_norm_eps),
      text_projection_(make_projection(weights / "text_projection", config)),
      eos_token_id_(config.eos_token_id) {}

ClipTextOutput ClipTextModel::operator()(const at::Tensor& ids, std::int64_t skipped) const {
  const std::int64_t length = ids.size(1);
  if (length > position_embedding_.size(0)) {
    throw Error("the number of tokens must be at most " +
                std::to_string(position_embedding_.size(0)) +
                " (max_position_embeddings of the text encoder), but is " + std::to_string(length) +
                "; correct the tokenizer's model_max_length");
  }
  at::Tensor h = at::embedding(token_embedding_, ids) + position_embedding_.slice(0, 0, length);
  at::Tensor earlier = h;
  auto left = static_cast<std::int64_t>(layers_.size()) - skipped;
  for (const ClipEncoderLayer& layer : layers_) {
    h = layer(h);
    if (--left == 0) {
      earlier = h;
    }
  }
  const at::Tensor last = normed(h);
  std::optional<at::Tensor> pooled;
  if (text_projection_) {
    const at::Tensor rows = at::arange(ids.size(0), ids.options());
    pooled = (*text_projection_)(last.index({rows, end_positions(ids)}));
  }
  return {last, earlier, pooled};
}

at::Tensor ClipTextModel::normed(const at::Tensor& state) const {
  return final_layer_norm_(state);
}

at::Tensor ClipTextModel::end_positions(const at::Tensor& ids) const {
  // Old configs say 2, which is not the end token: transformers then takes the position of the
  // highest id.
  constexpr std::int64_t kOldEosTokenId = 2;
  if (eos_token_id_ == kOldEosTokenId) {
    return ids.argmax(-1);
  }
  return ids.eq(eos_token_id_).to(at::kInt).argmax(-1);
}

} // namespace sdbench
