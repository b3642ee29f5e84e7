#include "sdbench/base/weights/compvis_names.h"

#include <charconv>
#include <span>
#include <system_error>

namespace sdbench {
namespace {

using Name = std::optional<std::string>;

struct Rename {
  std::string_view from;
  std::string_view to;
};

/// Replaces the leading parts of a name according to the first row that matches whole parts.
Name rename_start(std::string_view name, std::span<const Rename> table) {
  for (const auto& [from, to] : table) {
    if (name.starts_with(from) && (name.size() == from.size() || name[from.size()] == '.')) {
      return std::string(to) + std::string(name.substr(from.size()));
    }
  }
  return std::nullopt;
}

/// Removes the part before the next dot, and returns it.
std::string_view take_part(std::string_view& name) {
  const std::size_t dot = name.find('.');
  const std::string_view part = name.substr(0, dot);
  name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  return part;
}

/// Removes a number from the front, and returns it; -1 if there is no number.
int take_number(std::string_view& name) {
  const std::string_view part = take_part(name);
  int number = -1;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  return error == std::errc() && end == part.data() + part.size() ? number : -1;
}

Name under(const std::string& scope, const Name& name) {
  return name ? Name(scope + "." + *name) : std::nullopt;
}

std::string numbered(std::string_view what, int number) {
  return std::string(what) + "." + std::to_string(number);
}

constexpr Rename kUNetEnds[] = {
    {"time_embed.0", "time_embedding.linear_1"},
    {"time_embed.2", "time_embedding.linear_2"},
    {"label_emb.0.0", "add_embedding.linear_1"},
    {"label_emb.0.2", "add_embedding.linear_2"},
    {"input_blocks.0.0", "conv_in"},
    {"out.0", "conv_norm_out"},
    {"out.2", "conv_out"},
    {"middle_block.1", "mid_block.attentions.0"},
};

constexpr Rename kUNetResnet[] = {
    {"in_layers.0", "norm1"},  {"in_layers.2", "conv1"},  {"emb_layers.1", "time_emb_proj"},
    {"out_layers.0", "norm2"}, {"out_layers.3", "conv2"}, {"skip_connection", "conv_shortcut"},
};

constexpr Rename kDownsample[] = {{"op", "downsamplers.0.conv"}};
constexpr Rename kUpsample[] = {{"conv", "upsamplers.0.conv"}};

/// `name`: the part after "input_blocks.I." or "output_blocks.I.". `layer`: index of the layer in
/// its block.
Name unet_block_name(std::string_view name, int layer) {
  const int part = take_number(name);
  if (part == 0) {
    const Name downsampler = rename_start(name, kDownsample);
    return downsampler ? downsampler
                       : under(numbered("resnets", layer), rename_start(name, kUNetResnet));
  }
  if (Name upsampler = rename_start(name, kUpsample); upsampler && part > 0) {
    return upsampler;
  }
  return part == 1 ? under(numbered("attentions", layer), std::string(name)) : std::nullopt;
}

constexpr Rename kVaeEnds[] = {
    {"conv_in", "conv_in"},
    {"conv_out", "conv_out"},
    {"norm_out", "conv_norm_out"},
    {"mid.attn_1.norm", "mid_block.attentions.0.group_norm"},
    {"mid.attn_1.q", "mid_block.attentions.0.to_q"},
    {"mid.attn_1.k", "mid_block.attentions.0.to_k"},
    {"mid.attn_1.v", "mid_block.attentions.0.to_v"},
    {"mid.attn_1.proj_out", "mid_block.attentions.0.to_out.0"},
    // Conversion scripts left diffusers' attention names, both those from before 0.18 and the
    // current ones.
    {"mid.attn_1.group_norm", "mid_block.attentions.0.group_norm"},
    {"mid.attn_1.query", "mid_block.attentions.0.to_q"},
    {"mid.attn_1.key", "mid_block.attentions.0.to_k"},
    {"mid.attn_1.value", "mid_block.attentions.0.to_v"},
    {"mid.attn_1.proj_attn", "mid_block.attentions.0.to_out.0"},
    {"mid.attn_1.to_q", "mid_block.attentions.0.to_q"},
    {"mid.attn_1.to_k", "mid_block.attentions.0.to_k"},
    {"mid.attn_1.to_v", "mid_block.attentions.0.to_v"},
    {"mid.attn_1.to_out.0", "mid_block.attentions.0.to_out.0"},
    {"mid.block_1", "mid_block.resnets.0"},
    {"mid.block_2", "mid_block.resnets.1"},
};

constexpr Rename kVaeResnet[] = {
    {"norm1", "norm1"},
    {"conv1", "conv1"},
    {"norm2", "norm2"},
    {"conv2", "conv2"},
    {"nin_shortcut", "conv_shortcut"},
};

constexpr Rename kVaeResample[] = {
    {"downsample.conv", "downsamplers.0.conv"},
    {"upsample.conv", "upsamplers.0.conv"},
};

/// `name`: the part after "down.I." or "up.I.".
Name vae_level_name(std::string_view name) {
  if (Name resampler = rename_start(name, kVaeResample)) {
    return resampler;
  }
  if (take_part(name) != "block") {
    return std::nullopt;
  }
  const int block = take_number(name);
  return block < 0 ? std::nullopt
                   : under(numbered("resnets", block), rename_start(name, kVaeResnet));
}

Name vae_side_name(std::string_view name, int level_count) {
  if (Name end = rename_start(name, kVaeEnds)) {
    return end;
  }
  const std::string_view direction = take_part(name);
  const int level = take_number(name);
  if (level < 0 || level >= level_count) {
    return std::nullopt;
  }
  if (direction == "down") {
    return under(numbered("down_blocks", level), vae_level_name(name));
  }
  return direction == "up"
             ? under(numbered("up_blocks", level_count - 1 - level), vae_level_name(name))
             : std::nullopt;
}

constexpr Rename kOpenClipEnds[] = {
    {"positional_embedding", "text_model.embeddings.position_embedding.weight"},
    {"token_embedding", "text_model.embeddings.token_embedding"},
    {"ln_final", "text_model.final_layer_norm"},
};

constexpr Rename kOpenClipLayer[] = {
    {"ln_1", "layer_norm1"},   {"ln_2", "layer_norm2"}, {"mlp.c_fc", "mlp.fc1"},
    {"mlp.c_proj", "mlp.fc2"}, {"attn", "self_attn"},
};

} // namespace

Name unet_name_from_compvis(std::string_view name, int layers_per_block) {
  if (Name end = rename_start(name, kUNetEnds)) {
    return end;
  }
  const std::string_view where = take_part(name);
  const int index = take_number(name);
  const int block_size = layers_per_block + 1; // down: the resnets and a downsampler
  if (where == "middle_block" && (index == 0 || index == 2)) {
    return under(numbered("mid_block.resnets", index / 2), rename_start(name, kUNetResnet));
  }
  if (where == "input_blocks" && index >= 1) {
    return under(numbered("down_blocks", (index - 1) / block_size),
                 unet_block_name(name, (index - 1) % block_size));
  }
  if (where == "output_blocks" && index >= 0) {
    return under(numbered("up_blocks", index / block_size),
                 unet_block_name(name, index % block_size));
  }
  return std::nullopt;
}

Name vae_name_from_compvis(std::string_view name, int level_count) {
  constexpr Rename kQuantisation[] = {{"quant_conv", "quant_conv"},
                                      {"post_quant_conv", "post_quant_conv"}};
  if (Name same = rename_start(name, kQuantisation)) {
    return same;
  }
  const std::string side(take_part(name));
  return side == "encoder" || side == "decoder" ? under(side, vae_side_name(name, level_count))
                                                : std::nullopt;
}

Name text_name_from_open_clip(std::string_view name) {
  if (name == "text_projection" || name == "text_projection.weight") {
    return "text_projection.weight";
  }
  if (Name end = rename_start(name, kOpenClipEnds)) {
    return end;
  }
  if (take_part(name) != "transformer" || take_part(name) != "resblocks") {
    return std::nullopt;
  }
  const int layer = take_number(name);
  return layer < 0 ? std::nullopt
                   : under(numbered("text_model.encoder.layers", layer),
                           rename_start(name, kOpenClipLayer));
}

} // namespace sdbench
