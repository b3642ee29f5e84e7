#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/norm.h"

namespace sdbench {

/// One layer of CLIP's text encoder. Keys: `self_attn.{k,v,q,out}_proj layer_norm1 mlp.fc1 mlp.fc2
/// layer_norm2`.
class ClipEncoderLayer {
public:
  ClipEncoderLayer(const Weights& weights, const ClipTextConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [B, N, hidden], shape kept

private:
  [[nodiscard]] at::Tensor attention(const at::Tensor& x) const;
  [[nodiscard]] at::Tensor mlp(const at::Tensor& x) const;
  [[nodiscard]] at::Tensor activated(const at::Tensor& x) const;

  Linear k_proj_;
  Linear v_proj_;
  Linear q_proj_;
  Linear out_proj_;
  LayerNorm layer_norm1_;
  Linear fc1_;
  Linear fc2_;
  LayerNorm layer_norm2_;
  std::int64_t heads_;
  ClipTextConfig::Activation activation_;
  std::shared_ptr<const GpuKernels> kernels_; ///< null: ATen's operators
};

/// A text encoder's states that the pipelines use.
struct ClipTextOutput {
  at::Tensor last;    ///< [B, N, hidden], after all layers and the final norm
  at::Tensor earlier; ///< [B, N, hidden], before the layers that the caller skips; no final norm
  std::optional<at::Tensor> pooled; ///< [B, projection_dim]; only with text_projection (SDXL)
};

/// transformers' CLIPTextModel, or CLIPTextModelWithProjection if the config has a projection_dim.
/// Attention is causal, and padding is not masked. Keys: `text_model.…`, `text_projection.weight`.
class ClipTextModel {
public:
  ClipTextModel(const Weights& weights, const ClipTextConfig& config);
  /// ids [B, N], int64, on the model's device. `skipped`: how many of the last layers
  /// ClipTextOutput::earlier leaves out, from 0 to all. These layers are computed nevertheless.
  /// Throws Error if N exceeds the position table.
  [[nodiscard]] ClipTextOutput operator()(const at::Tensor& ids, std::int64_t skipped) const;
  /// Applies the final norm to a state.
  [[nodiscard]] at::Tensor normed(const at::Tensor& state) const;

private:
  /// Index of each row's end token, [B]. The state at this index represents the whole text.
  [[nodiscard]] at::Tensor end_positions(const at::Tensor& ids) const;

  at::Tensor token_embedding_;
  at::Tensor position_embedding_;
  std::vector<ClipEncoderLayer> layers_;
  LayerNorm final_layer_norm_;
  std::optional<Linear> text_projection_;
  std::int64_t eos_token_id_;
};

} // namespace sdbench
