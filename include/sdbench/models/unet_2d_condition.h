#pragma once

#include <optional>
#include <vector>

#include "sdbench/config/model_config.h"
#include "sdbench/models/unet_blocks.h"
#include "sdbench/nn/embeddings.h"

namespace sdbench {

/// SDXL's micro-conditioning.
struct AddedConditioning {
  at::Tensor text_embeds; ///< [B, projection_dim]: the pooled text state
  at::Tensor
      time_ids; ///< [B, 6]: original height and width, crop top and left, target height and width
};

/// diffusers' UNet2DConditionModel, as SD1.5, SD2.1 and SDXL use it. Keys: `conv_in time_embedding
/// [add_embedding] down_blocks.N up_blocks.N mid_block conv_norm_out conv_out`.
class UNet2dCondition {
public:
  UNet2dCondition(const Weights& weights, const UNetConfig& config, Attention kernel);
  /// sample [B, in, h, w] and context [B, M, C] in the model's dtype, timestep a scalar in fp32 ->
  /// [B, out, h, w]. Any h and w: each upsampler goes to the size of the skip that it meets.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& sample, const at::Tensor& timestep,
                                      const at::Tensor& context,
                                      const std::optional<AddedConditioning>& added) const;

private:
  [[nodiscard]] at::Tensor embed_time(const at::Tensor& sample, const at::Tensor& timestep,
                                      const std::optional<AddedConditioning>& added) const;

  Conv2d conv_in_;
  TimestepEmbedding time_embedding_;
  SinusoidalEmbedding time_proj_; // no weights
  std::optional<TimestepEmbedding> add_embedding_;
  std::optional<SinusoidalEmbedding> add_time_proj_; // no weights
  std::vector<UNetDownBlock> down_blocks_;
  std::vector<UNetUpBlock> up_blocks_;
  UNetMidBlock mid_block_;
  GroupNorm conv_norm_out_;
  Conv2d conv_out_;
};

} // namespace sdbench
