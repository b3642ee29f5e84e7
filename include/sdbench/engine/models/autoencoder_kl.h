#pragma once

#include <optional>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/resample.h"
#include "sdbench/engine/nn/resnet_block.h"

namespace sdbench {

/// Single-headed attention over all pixels, with a residual connection. Keys: `group_norm to_q to_k
/// to_v to_out.0`.
class VaeAttention {
public:
  VaeAttention(const Weights& weights, const GroupNormShape& shape, Attention kernel);
  /// x [B, C, H, W], shape kept. After leave_bias_to(), x may be overwritten.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;
  /// As Transformer2d::leave_bias_to().
  void leave_bias_to(ResnetBlock& maker);

private:
  GroupNorm group_norm_;
  MultiHeadAttention attention_;
  bool adds_in_place_ = false;
};

/// The decoder's middle block. Keys: `attentions.0 resnets.0 resnets.1`; a block without
/// attention lacks `attentions.0`.
class VaeMidBlock {
public:
  /// `attention`: kernel of the block's attention; empty: the block has no attention.
  VaeMidBlock(const Weights& weights, const ResnetShape& shape, std::optional<Attention> attention);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [B, C, H, W], shape kept

private:
  std::optional<VaeAttention> attention_;
  ResnetBlock first_;
  ResnetBlock second_;
};

/// diffusers' UpDecoderBlock2D. Keys: `resnets.N upsamplers.0`.
class VaeUpBlock {
public:
  VaeUpBlock(const Weights& weights, const ResnetShape& shape, std::int64_t layers, bool upsample);
  [[nodiscard]] at::Tensor operator()(at::Tensor x) const; // [B, in, H, W] -> [B, out, 2H, 2W]
  /// Lets `next`, which reads the result, add the up-sampler's bias, if that would be a pass of its
  /// own.
  void leave_bias_to(VaeUpBlock& next);

private:
  std::vector<ResnetBlock> resnets_;
  std::optional<Upsample2d> upsampler_;
};

/// The decoder of the VAE. Keys: `conv_in up_blocks.N mid_block conv_norm_out conv_out`.
class VaeDecoder {
public:
  VaeDecoder(const Weights& weights, const VaeConfig& config, Attention attention);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& z) const; // [B, C, h, w] -> [B, 3, 8h, 8w]

private:
  Conv2d conv_in_;
  std::vector<VaeUpBlock> up_blocks_;
  VaeMidBlock mid_block_;
  GroupNorm conv_norm_out_;
  Conv2d conv_out_;
};

/// The decoding half of diffusers' AutoencoderKL. Keys: `decoder post_quant_conv`.
class AutoencoderKl {
public:
  AutoencoderKl(const Weights& weights, const VaeConfig& config,
                Attention attention = Attention::kAuto);
  /// Decodes latents [B, C, h, w], already divided by the scaling factor, to pixels [B, 3, 8h, 8w],
  /// whose values are about -1 to 1.
  [[nodiscard]] at::Tensor decode(const at::Tensor& latents) const;

private:
  VaeDecoder decoder_;
  std::optional<Conv2d> post_quant_conv_;
};

/// Asks `weights` for every tensor of the encoder (`encoder`, `quant_conv`), in the order of
/// diffusers' checkpoints. Text-to-image does not run the encoder, but export and parameter counts
/// need the names and shapes of its tensors.
void declare_vae_encoder(const Weights& weights, const VaeConfig& config);

} // namespace sdbench
