#include "sdbench/base/weights/single_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/single_file_names.h"

namespace sdbench {
namespace {

constexpr const char* kConvIn = "model.diffusion_model.input_blocks.0.0.weight";
/// Prefix of the embedding of other inputs than time and text: sizes and pooled text for SDXL, an
/// image for unCLIP.
constexpr const char* kAddedEmbedding = "model.diffusion_model.label_emb.";

std::int64_t channels_of_unet(const TensorMap& tensors) {
  const auto& shape = tensors.at(kConvIn).shape;
  return shape.size() > 1 ? shape[1] : 0;
}

/// Width of the text in the UNet's cross-attention; 0 without cross-attention.
std::int64_t context_width(const TensorMap& tensors) {
  constexpr std::string_view kUNet = "model.diffusion_model.";
  for (const auto& [name, view] : tensors_below(tensors, kUNet)) {
    if (name.ends_with(".attn2.to_k.weight") && view.shape.size() == 2) {
      return view.shape.back();
    }
  }
  return 0;
}

/// Transformer layers of each input block, by block number; 0 for a block without any.
using BlockDepths = std::map<int, std::int64_t>;

/// Depths of the blocks whose tensors have this prefix.
BlockDepths depths_below(const TensorMap& tensors, std::string_view prefix) {
  constexpr std::string_view kLayer = ".1.transformer_blocks.";
  BlockDepths depths;
  for (const auto& [name, view] : tensors_below(tensors, prefix)) {
    std::string_view rest = std::string_view(name).substr(prefix.size());
    int block = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), block);
    if (error != std::errc()) {
      continue;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    std::int64_t& depth = depths[block];
    std::int64_t layer = 0;
    if (rest.starts_with(kLayer) &&
        std::from_chars(rest.data() + kLayer.size(), rest.data() + rest.size(), layer).ec ==
            std::errc()) {
      depth = std::max(depth, layer + 1);
    }
  }
  return depths;
}

/// The same for an architecture: the first convolution, each level's ResNet blocks, and a
/// downsampler between two levels.
BlockDepths depths_of(const UNetConfig& unet) {
  BlockDepths depths{{0, 0}};
  const std::size_t levels = unet.block_out_channels.size();
  for (std::size_t level = 0; level < levels; ++level) {
    for (std::int64_t layer = 0; layer < unet.layers_per_block[level]; ++layer) {
      const auto& transformers = unet.down_transformer_layers[level];
      const auto place = static_cast<std::size_t>(layer);
      const bool attends = unet.down_block_has_attention[level] && place < transformers.size();
      depths[static_cast<int>(depths.size())] = attends ? transformers[place] : 0;
    }
    if (level + 1 < levels) {
      depths[static_cast<int>(depths.size())] = 0;
    }
  }
  return depths;
}

[[noreturn]] void refuse(const std::string& origin, const std::string& what) {
  throw Error(origin + " must be a text-to-image model of the SD1, SD2 or SDXL kind, but is " +
              what + "; use the base model's file");
}

void refuse_other_noise(const TensorMap& tensors, const std::string& origin) {
  if (has_prefix(tensors, "edm_vpred.")) {
    refuse(origin, "an EDM model with v-prediction (CosXL)");
  }
  if (tensors.contains("edm_mean") || tensors.contains("edm_std")) {
    refuse(origin, "an EDM model (Playground v2.5)");
  }
}

void refuse_other_inputs(const TensorMap& tensors, const std::string& origin) {
  const std::int64_t channels = channels_of_unet(tensors);
  if (channels == 9) {
    refuse(origin, "an inpainting model (its UNet takes 9 channels)");
  }
  if (channels != 4) {
    refuse(origin, "a model whose UNet takes " + std::to_string(channels) +
                       " channels (4 is text-to-image)");
  }
}

} // namespace

std::string model_of_single_file(const TensorMap& tensors, const std::string& origin) {
  constexpr std::int64_t kSd1Width = 768;
  constexpr std::int64_t kSd2Width = 1024;
  if (!tensors.contains(kConvIn)) {
    throw Error(origin + " must be a whole CompVis or SGM checkpoint, but has no tensor " +
                kConvIn + "; give such a file, or the folder of a diffusers model");
  }
  refuse_other_noise(tensors, origin);
  refuse_other_inputs(tensors, origin);
  const std::string_view encoder = single_file_prefix(tensors, Component::kTextEncoder);
  if (!single_file_prefix(tensors, Component::kTextEncoder2).empty()) {
    return "sdxl";
  }
  if (encoder.empty()) {
    throw Error(origin + " must hold its text encoder, but has no tensor under "
                         "cond_stage_model.transformer. (SD1), cond_stage_model.model. (SD2) or "
                         "conditioner.embedders.1.model. (SDXL); use the full checkpoint");
  }
  const bool is_sgm = encoder.starts_with("conditioner.");
  if (has_prefix(tensors, kAddedEmbedding)) {
    if (!is_sgm) {
      refuse(origin, "an unCLIP model (its UNet takes an image beside the prompt)");
    }
    refuse(origin, encoder.ends_with(".model.") // the refiner has only the larger encoder
                       ? "the SDXL refiner"
                       : "an SDXL model without its second text encoder");
  }
  const std::int64_t width = context_width(tensors);
  const bool is_open_clip = encoder.ends_with(".model."); // decides for other widths
  if (width == kSd1Width || (width != kSd2Width && !is_open_clip)) {
    return "sd15";
  }
  return is_sgm && !single_file_markers(tensors).v_prediction ? "sd-turbo" : "sd21";
}

bool has_unet_of(const TensorMap& tensors, const UNetConfig& unet) {
  const auto conv_in = tensors.find(kConvIn);
  const bool same_widths = conv_in != tensors.end() && !conv_in->second.shape.empty() &&
                           conv_in->second.shape.front() == unet.block_out_channels.front() &&
                           (unet.cross_attention_dims.empty() ||
                            context_width(tensors) == unet.cross_attention_dims.front());
  const BlockDepths found = depths_below(tensors, "model.diffusion_model.input_blocks.");
  const bool has_middle = has_prefix(tensors, "model.diffusion_model.middle_block.");
  return same_widths && found == depths_of(unet) &&
         has_middle == (unet.mid_block != UNetConfig::MidBlock::kNone);
}

SingleFileMarkers single_file_markers(const TensorMap& tensors) {
  return {.v_prediction = tensors.contains("v_pred"),
          .zero_terminal_snr = tensors.contains("ztsnr")};
}

bool is_v_prediction_by_step(const TensorMap& tensors) {
  constexpr std::int64_t kEpsilonStep = 875000;
  const auto found = tensors.find("global_step");
  std::int64_t step = 0;
  if (found != tensors.end() && found->second.dtype == Dtype::kI64 &&
      found->second.data.size() == sizeof step) {
    std::memcpy(&step, found->second.data.data(), sizeof step);
  }
  return step != kEpsilonStep;
}

} // namespace sdbench
