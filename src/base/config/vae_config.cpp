#include "sdbench/base/config/component_configs.h"

#include <cstdint>
#include <string>
#include <vector>

#include "config_reader.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

constexpr IntegerBounds kVaeChannels{1, 65'536};
constexpr std::size_t kMaxVaeBlocks = 8;

void refuse_other_vaes(const ConfigReader& reader) {
  reader.only("_class_name", {"AutoencoderKL"});
  reader.only("act_fn", {"silu", "swish"});
  reader.only("latents_mean", {nullptr});
  reader.only("latents_std", {nullptr});
  reader.only("quantization_config", {nullptr});
  reader.only("shift_factor", {nullptr, 0});
  reader.only("in_channels", {3});
  reader.only("out_channels", {3});
}

/// A number, or height and width: diffusers measures tiles by the first.
std::int64_t read_sample_size(const ConfigReader& reader) {
  constexpr IntegerBounds kPixels{1, 65'536};
  constexpr std::int64_t kDiffusersDefault = 32;
  const Json* size = reader.find("sample_size");
  if (size == nullptr || !size->is_array()) {
    return reader.optional_integer("sample_size", kPixels).value_or(kDiffusersDefault);
  }
  const auto sides = reader.integers("sample_size", {}, kPixels);
  if (sides.size() != 2) {
    reader.refuse("sample_size", "an integer or a list of two (height, width)");
  }
  return sides.front();
}

void check_block_types(const ConfigReader& reader, const char* key, const std::string& type,
                       std::size_t count) {
  const std::vector<std::string> types = reader.texts(key, {type});
  if (types != std::vector<std::string>(count, type)) {
    reader.refuse(key, std::to_string(count) + " times " + type +
                           ", one for each of block_out_channels");
  }
}

} // namespace

VaeConfig parse_vae_config(const Json& config, const std::string& where) {
  const ConfigReader reader(config, where);
  refuse_other_vaes(reader);
  VaeConfig vae;
  vae.latent_channels = reader.integer("latent_channels", 4, kVaeChannels);
  vae.block_out_channels = reader.integers("block_out_channels", {64}, kVaeChannels);
  vae.layers_per_block = reader.integer("layers_per_block", 1, {1, 64});
  vae.norm_num_groups = reader.integer("norm_num_groups", 32, kVaeChannels);
  vae.scaling_factor = reader.number("scaling_factor", 0.18215, {1e-6, 1e6});
  vae.force_upcast = reader.truth("force_upcast", true);
  vae.use_quant_conv = reader.truth("use_quant_conv", true);
  vae.use_post_quant_conv = reader.truth("use_post_quant_conv", true);
  vae.mid_block_add_attention = reader.truth("mid_block_add_attention", true);
  vae.sample_size = read_sample_size(reader);

  const std::size_t count = vae.block_out_channels.size();
  if (count == 0 || count > kMaxVaeBlocks) {
    reader.refuse("block_out_channels", "a list of 1 to " + std::to_string(kMaxVaeBlocks));
  }
  check_block_types(reader, "down_block_types", "DownEncoderBlock2D", count);
  check_block_types(reader, "up_block_types", "UpDecoderBlock2D", count);
  for (const std::int64_t channels : vae.block_out_channels) {
    if (channels % vae.norm_num_groups != 0) {
      reader.refuse("block_out_channels",
                    "divisible by norm_num_groups, " + std::to_string(vae.norm_num_groups));
    }
  }
  return vae;
}

} // namespace sdbench
