#include "sdbench/base/config/component_configs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config_reader.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

constexpr IntegerBounds kChannels{1, 65'536};
constexpr std::size_t kMaxBlocks = 8;

/// Refuses UNets that take an image besides the latents: they have extra input channels.
void refuse_image_conditioned(const ConfigReader& reader) {
  const auto channels = reader.integer("in_channels", 4, kChannels);
  const char* kind = channels == 9   ? "an inpainting UNet"
                     : channels == 8 ? "an img2img (InstructPix2Pix) UNet"
                     : channels == 7 ? "an upscaler's UNet"
                     : channels == 5 ? "a depth-to-image UNet"
                                     : nullptr;
  if (kind != nullptr) {
    throw Error(reader.where() + ": in_channels must be 4 (text to image), but is " +
                std::to_string(channels) + ": this is " + kind + ", which is not supported");
  }
}

/// For each block, true if it has attention, from its class name.
std::vector<bool> attention_of_blocks(const ConfigReader& reader, const char* key,
                                      const std::vector<std::string>& fallback,
                                      const std::string& with, const std::string& without) {
  std::vector<bool> attention;
  for (const std::string& type : reader.texts(key, fallback)) {
    if (type != with && type != without) {
      reader.refuse(key, "a list of " + with + " and " + without);
    }
    attention.push_back(type == with);
  }
  return attention;
}

void refuse_other_unets(const ConfigReader& reader) {
  reader.only("_class_name", {"UNet2DConditionModel"});
  reader.only("act_fn", {"silu", "swish"});
  reader.only("attention_type", {"default", nullptr});
  reader.only("center_input_sample", {false, nullptr});
  reader.only("class_embed_type", {nullptr});
  reader.only("class_embeddings_concat", {false, nullptr});
  reader.only("conv_in_kernel", {3});
  reader.only("conv_out_kernel", {3});
  reader.only("cross_attention_norm", {nullptr});
  reader.only("downsample_padding", {1});
  reader.only("dual_cross_attention", {false, nullptr});
  reader.only("encoder_hid_dim", {nullptr});
  reader.only("encoder_hid_dim_type", {nullptr});
  reader.only("mid_block_only_cross_attention", {nullptr, false});
  reader.only("mid_block_scale_factor", {1});
  reader.only("num_attention_heads", {nullptr}); // diffusers refuses it, too
  reader.only("num_class_embeds", {nullptr});
  reader.only("only_cross_attention", {false});
  reader.only("quantization_config", {nullptr});
  reader.only("resnet_out_scale_factor", {1, nullptr});
  reader.only("resnet_skip_time_act", {false, nullptr});
  reader.only("resnet_time_scale_shift", {"default"});
  reader.only("time_embedding_act_fn", {nullptr});
  reader.only("time_embedding_dim", {nullptr});
  reader.only("time_embedding_type", {"positional"});
  reader.only("timestep_post_act", {nullptr});
  reader.only("addition_embed_type", {nullptr, "text_time"});
  // Any value passes for these keys: dropout acts only in training, and
  // addition_embed_type_num_heads belongs to another addition_embed_type.
}

void read_sample_size(const ConfigReader& reader, UNetConfig& unet) {
  constexpr IntegerBounds kBounds{1, 8'192};
  const Json* size = reader.find("sample_size");
  if (size != nullptr && size->is_array()) {
    const auto sides = reader.integers("sample_size", {}, kBounds);
    if (sides.size() != 2) {
      reader.refuse("sample_size", "an integer or a list of two (height, width)");
    }
    unet.sample_height = sides[0];
    unet.sample_width = sides[1];
  } else if (size != nullptr && !size->is_null()) {
    unet.sample_height = unet.sample_width = reader.integer("sample_size", 0, kBounds);
  }
}

UNetConfig::MidBlock read_mid_block(const ConfigReader& reader) {
  reader.only("mid_block_type", {"UNetMidBlock2DCrossAttn", "UNetMidBlock2D", nullptr});
  const Json* type = reader.find("mid_block_type");
  return type == nullptr || *type == "UNetMidBlock2DCrossAttn"
             ? UNetConfig::MidBlock::kCrossAttention
         : type->is_null() ? UNetConfig::MidBlock::kNone
                           : UNetConfig::MidBlock::kResnet;
}

/// Transformer layers of one entry in a list of blocks: a number for all of the block's `count`
/// attentions, or a list whose first `count` are used.
std::vector<std::int64_t> layers_of_block(const ConfigReader& reader, const char* key,
                                          const Json& entry, std::int64_t count) {
  constexpr IntegerBounds kLayers{0, 128};
  const Json one{{key, entry}};
  const ConfigReader block(one, reader.where());
  const auto wanted = static_cast<std::size_t>(count);
  if (!entry.is_array()) {
    return std::vector<std::int64_t>(wanted, block.integer(key, 1, kLayers));
  }
  std::vector<std::int64_t> layers = block.integers(key, {}, kLayers);
  if (layers.size() < wanted) {
    block.refuse(key, "a number or a list of " + std::to_string(count) +
                          " for a block with as many ResNet blocks");
  }
  layers.resize(wanted);
  return layers;
}

/// An entry for each block: from the list `key`, or its single number (absent: 1) for all.
std::vector<Json> entry_of_each_block(const ConfigReader& reader, const char* key,
                                      std::size_t count) {
  const Json* value = reader.find(key);
  if (value == nullptr || !value->is_array()) {
    return std::vector<Json>(count, value == nullptr ? Json(1) : *value);
  }
  if (value->size() != count) {
    reader.refuse(key,
                  "one integer or a list of " + std::to_string(count) + ", one for each block");
  }
  return {value->begin(), value->end()};
}

/// diffusers' rule: the up blocks use the down blocks' numbers reversed, unless
/// reverse_transformer_layers_per_block gives theirs, which nested lists require.
void read_transformer_layers(const ConfigReader& reader, UNetConfig& unet) {
  constexpr const char* kDown = "transformer_layers_per_block";
  constexpr const char* kUp = "reverse_transformer_layers_per_block";
  const std::size_t count = unet.block_out_channels.size();
  const std::vector<Json> down = entry_of_each_block(reader, kDown, count);
  const Json* reversed = reader.find(kUp);
  const bool states_up = reversed != nullptr && !reversed->is_null();
  if (states_up && !reversed->is_array()) {
    reader.refuse(kUp, "null or a list of " + std::to_string(count) + ", one for each up block");
  }
  if (!states_up && std::ranges::any_of(down, [](const Json& entry) { return entry.is_array(); })) {
    reader.refuse(kUp, "a list beside a nested transformer_layers_per_block");
  }
  std::vector<Json> up(down.rbegin(), down.rend());
  if (states_up) {
    up = entry_of_each_block(reader, kUp, count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t layers = unet.layers_per_block[i];
    const std::int64_t up_layers = unet.layers_per_block[count - 1 - i] + 1;
    unet.down_transformer_layers.push_back(unet.down_block_has_attention[i]
                                               ? layers_of_block(reader, kDown, down[i], layers)
                                               : std::vector<std::int64_t>{});
    unet.up_transformer_layers.push_back(
        unet.up_block_has_attention[i]
            ? layers_of_block(reader, states_up ? kUp : kDown, up[i], up_layers)
            : std::vector<std::int64_t>{});
  }
  if (unet.mid_block == UNetConfig::MidBlock::kCrossAttention) {
    unet.mid_transformer_layers = layers_of_block(reader, kDown, down.back(), 1).front();
  }
}

void read_blocks(const ConfigReader& reader, UNetConfig& unet) {
  unet.block_out_channels =
      reader.integers("block_out_channels", {320, 640, 1280, 1280}, kChannels);
  unet.down_block_has_attention = attention_of_blocks(
      reader, "down_block_types",
      {"CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"},
      "CrossAttnDownBlock2D", "DownBlock2D");
  unet.up_block_has_attention = attention_of_blocks(
      reader, "up_block_types",
      {"UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"},
      "CrossAttnUpBlock2D", "UpBlock2D");
  const std::size_t count = unet.block_out_channels.size();
  if (count == 0 || count > kMaxBlocks) {
    reader.refuse("block_out_channels", "a list of 1 to " + std::to_string(kMaxBlocks));
  }
  const std::string as_many = "as many as the " + std::to_string(count) + " block_out_channels";
  if (unet.down_block_has_attention.size() != count) {
    reader.refuse("down_block_types", as_many);
  }
  if (unet.up_block_has_attention.size() != count) {
    reader.refuse("up_block_types", as_many);
  }
  unet.layers_per_block = reader.integer_per_block("layers_per_block", 2, count, {1, 64});
  unet.mid_block = read_mid_block(reader);
  read_transformer_layers(reader, unet);
  unet.head_counts = reader.integer_per_block("attention_head_dim", 8, count, {1, 1'024});
  unet.cross_attention_dims =
      reader.integer_per_block("cross_attention_dim", 1280, count, kChannels);
  const auto& dims = unet.cross_attention_dims;
  if (std::adjacent_find(dims.begin(), dims.end(), std::not_equal_to<>()) != dims.end()) {
    reader.refuse("cross_attention_dim", "the same for all blocks");
  }
}

void check_divisibility(const ConfigReader& reader, const UNetConfig& unet) {
  const auto groups = unet.norm_num_groups;
  const std::size_t count = unet.block_out_channels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto channels = unet.block_out_channels[i];
    if (channels % groups != 0) {
      reader.refuse("block_out_channels",
                    "divisible by norm_num_groups, " + std::to_string(groups));
    }
    if (unet.attends(i) && channels % unet.head_counts[i] != 0) {
      reader.refuse("attention_head_dim",
                    "a number of heads that divides the block's " + std::to_string(channels) +
                        " channels (in this class the key is the number of heads)");
    }
  }
  if (unet.block_out_channels.front() % 2 != 0) {
    reader.refuse("block_out_channels", "even at the first block (sines and cosines of the time)");
  }
}

void read_guidance_embedding(const ConfigReader& reader, UNetConfig& unet) {
  unet.time_cond_proj_dim = reader.optional_integer("time_cond_proj_dim", {4, 65'536});
  if (unet.time_cond_proj_dim && *unet.time_cond_proj_dim % 2 != 0) {
    reader.refuse("time_cond_proj_dim", "even (sines and cosines of the guidance scale)");
  }
}

void read_addition_embedding(const ConfigReader& reader, UNetConfig& unet) {
  const Json* type = reader.find("addition_embed_type");
  if (type == nullptr || type->is_null()) {
    return;
  }
  unet.addition_time_embed_dim = reader.optional_integer("addition_time_embed_dim", {2, 65'536});
  unet.projection_class_embeddings_input_dim =
      reader.optional_integer("projection_class_embeddings_input_dim", {1, 1'048'576});
  if (!unet.addition_time_embed_dim || *unet.addition_time_embed_dim % 2 != 0) {
    reader.refuse("addition_time_embed_dim", "an even number with addition_embed_type text_time");
  }
  if (!unet.projection_class_embeddings_input_dim) {
    reader.refuse("projection_class_embeddings_input_dim",
                  "a number with addition_embed_type text_time");
  }
}

} // namespace

UNetConfig parse_unet_config(const Json& config, const std::string& where) {
  const ConfigReader reader(config, where);
  refuse_other_unets(reader);
  refuse_image_conditioned(reader);
  UNetConfig unet;
  unet.in_channels = reader.integer("in_channels", 4, kChannels);
  unet.out_channels = reader.integer("out_channels", 4, kChannels);
  unet.use_linear_projection = reader.truth("use_linear_projection", false);
  unet.upcast_attention = reader.truth("upcast_attention", false);
  unet.norm_num_groups = reader.integer("norm_num_groups", 32, kChannels);
  unet.norm_eps = reader.number("norm_eps", 1e-5, {0, 1});
  unet.flip_sin_to_cos = reader.truth("flip_sin_to_cos", true);
  unet.freq_shift = reader.number("freq_shift", 0, {0, 1});
  read_sample_size(reader, unet);
  read_blocks(reader, unet);
  check_divisibility(reader, unet);
  read_addition_embedding(reader, unet);
  read_guidance_embedding(reader, unet);
  return unet;
}

} // namespace sdbench
