#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/norm.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

constexpr double kVaeNormEps = 1e-6;

ResnetShape resnet_shape(const VaeConfig& config, std::int64_t in, std::int64_t out) {
  return {.in = in,
          .out = out,
          .time_channels = std::nullopt,
          .norm_groups = config.norm_num_groups,
          .norm_eps = kVaeNormEps};
}

std::optional<VaeAttention> make_attention(const Weights& weights, const ResnetShape& shape,
                                           std::optional<Attention> attention) {
  if (!attention) {
    return std::nullopt;
  }
  return VaeAttention(weights, {shape.out, shape.norm_groups, shape.norm_eps}, *attention);
}

std::vector<ResnetBlock> make_resnets(const Weights& weights, ResnetShape shape,
                                      std::int64_t layers) {
  std::vector<ResnetBlock> resnets;
  for (std::int64_t i = 0; i < layers; ++i) {
    resnets.emplace_back(weights / i, shape);
    shape.in = shape.out;
  }
  return resnets;
}

std::vector<VaeUpBlock> make_up_blocks(const Weights& weights, const VaeConfig& config) {
  const std::size_t count = config.block_out_channels.size();
  std::vector<VaeUpBlock> blocks;
  std::int64_t in = config.block_out_channels.back();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t out = config.block_out_channels[count - 1 - i];
    blocks.emplace_back(weights / static_cast<std::int64_t>(i), resnet_shape(config, in, out),
                        config.layers_per_block + 1, i + 1 < count);
    in = out;
  }
  for (std::size_t i = 0; i + 1 < count; ++i) {
    blocks[i].leave_bias_to(blocks[i + 1]);
  }
  return blocks;
}

std::optional<Attention> kernel_if(bool has_attention, Attention kernel) {
  return has_attention ? std::optional(kernel) : std::nullopt;
}

std::optional<Conv2d> make_post_quant_conv(const Weights& weights, const VaeConfig& config) {
  if (!config.use_post_quant_conv) {
    return std::nullopt;
  }
  return pointwise_conv(weights, config.latent_channels, config.latent_channels);
}

} // namespace

VaeAttention::VaeAttention(const Weights& weights, const GroupNormShape& shape, Attention kernel)
    : group_norm_(weights / "group_norm", shape),
      attention_(weights, {.channels = shape.channels,
                           .heads = 1,
                           .qkv_bias = Bias::kYes,
                           .attend = {.kernel = kernel}}) {}

void VaeAttention::leave_bias_to(ResnetBlock& maker) {
  adds_in_place_ = leave_bias(attention_.left_out(), maker, group_norm_);
}

at::Tensor VaeAttention::operator()(const at::Tensor& x) const {
  const at::Tensor pixels = group_norm_(x).flatten(2).transpose(1, 2); // [B, H * W, C]
  if (adds_in_place_) {
    const at::Tensor stream = x.permute({0, 2, 3, 1}).flatten(1, 2); // x itself if channels-last
    return attention_.added_to(stream, pixels).transpose(1, 2).reshape(x.sizes());
  }
  return attention_(pixels).transpose(1, 2).reshape(x.sizes()) + x;
}

VaeMidBlock::VaeMidBlock(const Weights& weights, const ResnetShape& shape,
                         std::optional<Attention> attention)
    : attention_(make_attention(weights / "attentions" / 0, shape, attention)),
      first_(weights / "resnets" / 0, shape), second_(weights / "resnets" / 1, shape) {
  if (attention_) {
    attention_->leave_bias_to(first_);
  }
}

at::Tensor VaeMidBlock::operator()(const at::Tensor& x) const {
  const at::Tensor h = first_(x);
  return second_(attention_ ? (*attention_)(h) : h);
}

VaeUpBlock::VaeUpBlock(const Weights& weights, const ResnetShape& shape, std::int64_t layers,
                       bool upsample)
    : resnets_(make_resnets(weights / "resnets", shape, layers)) {
  if (upsample) {
    upsampler_.emplace(weights / "upsamplers" / 0, shape.out);
  }
}

at::Tensor VaeUpBlock::operator()(at::Tensor x) const {
  for (const ResnetBlock& resnet : resnets_) {
    x = resnet(x);
  }
  return upsampler_ ? (*upsampler_)(x) : x;
}

void VaeUpBlock::leave_bias_to(VaeUpBlock& next) {
  if (upsampler_) {
    next.resnets_.front().accept_input_without(upsampler_->take_bias());
  }
}

VaeDecoder::VaeDecoder(const Weights& weights, const VaeConfig& config, Attention attention)
    : conv_in_(weights / "conv_in",
               {.in = config.latent_channels, .out = config.block_out_channels.back()}),
      up_blocks_(make_up_blocks(weights / "up_blocks", config)),
      mid_block_(
          weights / "mid_block",
          resnet_shape(config, config.block_out_channels.back(), config.block_out_channels.back()),
          kernel_if(config.mid_block_add_attention, attention)),
      conv_norm_out_(weights / "conv_norm_out",
                     {config.block_out_channels[0], config.norm_num_groups, kVaeNormEps}),
      conv_out_(weights / "conv_out",
                {.in = config.block_out_channels[0], .out = config.out_channels}) {}

at::Tensor VaeDecoder::operator()(const at::Tensor& z) const {
  at::Tensor h = mid_block_(conv_in_(z));
  for (const VaeUpBlock& block : up_blocks_) {
    h = block(std::move(h)); // moved, so that the block can free its input early
  }
  return conv_out_(conv_norm_out_.silu(h));
}

AutoencoderKl::AutoencoderKl(const Weights& weights, const VaeConfig& config, Attention attention)
    : decoder_(weights / "decoder", config, attention),
      post_quant_conv_(make_post_quant_conv(weights / "post_quant_conv", config)) {}

at::Tensor AutoencoderKl::decode(const at::Tensor& latents) const {
  return decoder_(post_quant_conv_ ? (*post_quant_conv_)(latents) : latents);
}

void declare_vae_encoder(const Weights& weights, const VaeConfig& config) {
  // Built and thrown away: the constructors declare the keys.
  // NOLINTBEGIN(bugprone-unused-raii)
  const Weights encoder = weights / "encoder";
  const auto& channels = config.block_out_channels;
  Conv2d(encoder / "conv_in", {.in = config.in_channels, .out = channels[0]});
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Weights block = encoder / "down_blocks" / static_cast<std::int64_t>(i);
    make_resnets(block / "resnets", resnet_shape(config, channels[i == 0 ? 0 : i - 1], channels[i]),
                 config.layers_per_block);
    if (i + 1 < channels.size()) {
      Downsample2d(block / "downsamplers" / 0, channels[i]);
    }
  }
  VaeMidBlock(encoder / "mid_block", resnet_shape(config, channels.back(), channels.back()),
              kernel_if(config.mid_block_add_attention, Attention::kAuto));
  GroupNorm(encoder / "conv_norm_out", {channels.back(), config.norm_num_groups, kVaeNormEps});
  Conv2d(encoder / "conv_out", {.in = channels.back(), .out = 2 * config.latent_channels});
  if (config.use_quant_conv) {
    Conv2d(weights / "quant_conv", {.in = 2 * config.latent_channels,
                                    .out = 2 * config.latent_channels,
                                    .kernel = 1,
                                    .padding = 0});
  }
  // NOLINTEND(bugprone-unused-raii)
}

} // namespace sdbench
