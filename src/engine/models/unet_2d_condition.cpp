#include "sdbench/engine/models/unet_2d_condition.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/transformer_block.h"

#include <ATen/ATen.h>

namespace sdbench {
namespace {

std::int64_t time_channels(const UNetConfig& config) {
  return 4 * config.block_out_channels[0];
}

/// `transformer_layers`: for each transformer, its layers. Empty for a block without attention.
UNetBlockShape block_shape(const UNetConfig& config, std::size_t level,
                           const std::vector<std::int64_t>& transformer_layers, Attention kernel) {
  UNetBlockShape shape{.out = config.block_out_channels[level],
                       .time_channels = time_channels(config),
                       .norm_groups = config.norm_num_groups,
                       .norm_eps = config.norm_eps,
                       .transformer = std::nullopt,
                       .transformer_layers = transformer_layers};
  if (!transformer_layers.empty()) {
    shape.transformer =
        TransformerShape{.channels = config.block_out_channels[level],
                         .context_channels = config.cross_attention_dims[level],
                         .heads = config.head_counts[level],
                         .linear_projection = config.use_linear_projection,
                         .norm_groups = config.norm_num_groups,
                         .attend = {.kernel = kernel, .upcast_scores = config.upcast_attention}};
  }
  return shape;
}

std::vector<UNetDownBlock> make_down_blocks(const Weights& weights, const UNetConfig& config,
                                            Attention kernel) {
  const std::size_t count = config.block_out_channels.size();
  std::vector<UNetDownBlock> blocks;
  for (std::size_t level = 0; level < count; ++level) {
    blocks.emplace_back(weights / static_cast<std::int64_t>(level),
                        block_shape(config, level, config.down_transformer_layers[level], kernel),
                        config.block_out_channels[level == 0 ? 0 : level - 1],
                        config.layers_per_block[level], level + 1 < count);
  }
  return blocks;
}

/// Channels of all skips in the order in which the down path makes them.
std::vector<std::int64_t> skip_channels(const UNetConfig& config) {
  std::vector<std::int64_t> channels{config.block_out_channels[0]}; // conv_in
  for (std::size_t level = 0; level < config.block_out_channels.size(); ++level) {
    const bool last = level + 1 == config.block_out_channels.size();
    channels.insert(channels.end(),
                    static_cast<std::size_t>(config.layers_per_block[level] + (last ? 0 : 1)),
                    config.block_out_channels[level]);
  }
  return channels;
}

std::vector<UNetUpBlock> make_up_blocks(const Weights& weights, const UNetConfig& config,
                                        Attention kernel) {
  const std::size_t count = config.block_out_channels.size();
  std::vector<std::int64_t> skips = skip_channels(config);
  std::vector<UNetUpBlock> blocks;
  std::int64_t in = config.block_out_channels.back();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t level = count - 1 - i;
    const auto used = config.layers_per_block[level] + 1;
    const std::vector<std::int64_t> mine(skips.rbegin(), skips.rbegin() + used);
    skips.resize(skips.size() - static_cast<std::size_t>(used));
    blocks.emplace_back(weights / static_cast<std::int64_t>(i),
                        block_shape(config, level, config.up_transformer_layers[i], kernel), in,
                        mine, i + 1 < count);
    in = config.block_out_channels[level];
  }
  return blocks;
}

std::optional<UNetMidBlock> make_mid_block(const Weights& weights, const UNetConfig& config,
                                           Attention kernel) {
  if (config.mid_block == UNetConfig::MidBlock::kNone) {
    return std::nullopt;
  }
  std::vector<std::int64_t> layers;
  if (config.mid_block == UNetConfig::MidBlock::kCrossAttention) {
    layers = {config.mid_transformer_layers};
  }
  return UNetMidBlock(weights,
                      block_shape(config, config.block_out_channels.size() - 1, layers, kernel));
}

/// Applies `make` to every block, or to one part per block. `mid`: nullptr if there is no mid
/// block.
template <class Down, class Mid, class Up, class Make>
auto parts_of(const Down& down, const Mid* mid, const Up& up, const Make& make) {
  UNetParts<decltype(make(*mid))> parts;
  for (const auto& part : down) {
    parts.down.push_back(make(part));
  }
  if (mid != nullptr) {
    parts.mid = make(*mid);
  }
  for (const auto& part : up) {
    parts.up.push_back(make(part));
  }
  return parts;
}

BlockTime rows_of(const BlockTime& shifts, std::int64_t begin, std::int64_t count) {
  BlockTime rows;
  for (const at::Tensor& shift : shifts) {
    rows.push_back(shift.narrow(0, begin, count));
  }
  return rows;
}

std::optional<TimestepEmbedding> make_add_embedding(const Weights& weights,
                                                    const UNetConfig& config) {
  if (!config.projection_class_embeddings_input_dim) {
    return std::nullopt;
  }
  return TimestepEmbedding(weights, *config.projection_class_embeddings_input_dim,
                           time_channels(config));
}

std::optional<SinusoidalEmbedding> make_add_time_proj(const UNetConfig& config, at::Device device) {
  if (!config.addition_time_embed_dim) {
    return std::nullopt;
  }
  return SinusoidalEmbedding(*config.addition_time_embed_dim, config.flip_sin_to_cos,
                             config.freq_shift, device);
}

} // namespace

UNet2dCondition::UNet2dCondition(const Weights& weights, const UNetConfig& config, Attention kernel)
    : conv_in_(weights / "conv_in",
               {.in = config.in_channels, .out = config.block_out_channels[0]}),
      time_embedding_(weights / "time_embedding", config.block_out_channels[0],
                      time_channels(config), config.time_cond_proj_dim),
      time_proj_(config.block_out_channels[0], config.flip_sin_to_cos, config.freq_shift,
                 time_embedding_.options().device()),
      guidance_width_(config.time_cond_proj_dim),
      add_embedding_(make_add_embedding(weights / "add_embedding", config)),
      add_time_proj_(make_add_time_proj(config, time_embedding_.options().device())),
      down_blocks_(make_down_blocks(weights / "down_blocks", config, kernel)),
      up_blocks_(make_up_blocks(weights / "up_blocks", config, kernel)),
      mid_block_(make_mid_block(weights / "mid_block", config, kernel)),
      conv_norm_out_(weights / "conv_norm_out",
                     {config.block_out_channels[0], config.norm_num_groups, config.norm_eps}),
      conv_out_(weights / "conv_out",
                {.in = config.block_out_channels[0], .out = config.out_channels}) {}

UNetText UNet2dCondition::text(const at::Tensor& context, TextForm form) const {
  return parts_of(down_blocks_, mid_block_ ? &*mid_block_ : nullptr, up_blocks_,
                  [&](const auto& block) { return block.text(context, form); });
}

UNetTimes UNet2dCondition::times(const at::Tensor& timesteps, std::int64_t images,
                                 const std::optional<AddedConditioning>& added,
                                 const std::optional<at::Tensor>& guidance) const {
  const at::Tensor time =
      at::silu(embed_times(timesteps, images, added, guidance)); // [N * images, 4 * C0]
  return {parts_of(down_blocks_, mid_block_ ? &*mid_block_ : nullptr, up_blocks_,
                   [&](const auto& block) { return block.time_shifts(time); }),
          timesteps.size(0), images};
}

UNetTime UNetTimes::at(std::int64_t call) const {
  if (call < 0 || call >= calls_) {
    throw std::out_of_range("there is no time for the call " + std::to_string(call));
  }
  return parts_of(all_.down, &all_.mid, all_.up, [&](const BlockTime& shifts) {
    return rows_of(shifts, call * images_, images_);
  });
}

at::Tensor UNet2dCondition::operator()(const at::Tensor& sample, const UNetTime& time,
                                       const UNetText& text) const {
  // 1. down
  at::Tensor h = conv_in_(sample);
  std::vector<at::Tensor> skips{h};
  for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
    h = down_blocks_[i](h, time.down.at(i), text.down.at(i), skips);
  }
  // 2. middle
  if (mid_block_) {
    h = (*mid_block_)(h, time.mid, text.mid);
  }
  // 3. up
  for (std::size_t i = 0; i < up_blocks_.size(); ++i) {
    h = up_blocks_[i](h, time.up.at(i), text.up.at(i), skips);
  }
  // 4. out
  return conv_out_(conv_norm_out_.silu(h));
}

at::Tensor UNet2dCondition::embed_times(const at::Tensor& timesteps, std::int64_t images,
                                        const std::optional<AddedConditioning>& added,
                                        const std::optional<at::Tensor>& guidance) const {
  const at::Tensor each = timesteps.unsqueeze(1).expand({-1, images}).flatten(); // [N * images]
  const auto dtype = c10::typeMetaToScalarType(time_embedding_.options().dtype());
  const at::Tensor waves = time_proj_(each).to(dtype);
  const at::Tensor time =
      guidance_width_
          ? time_embedding_(waves, embed_guidance(guidance.value(), *guidance_width_).to(dtype))
          : time_embedding_(waves);
  if (!add_embedding_) {
    return time;
  }
  const at::Tensor sizes = add_time_proj_.value()(added.value().time_ids.flatten()); // [B * 6, D]
  const at::Tensor both = at::cat({added->text_embeds, sizes.reshape({images, -1})}, -1);
  const at::Tensor more = (*add_embedding_)(both.to(time.scalar_type())); // [B, 4 * C0]
  return (time.unflatten(0, {-1, images}) + more).flatten(0, 1);
}

} // namespace sdbench
