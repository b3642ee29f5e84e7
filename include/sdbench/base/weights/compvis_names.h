#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// These functions map tensor names of CompVis and SGM checkpoints, without the component's prefix,
/// to diffusers' names. They return nullopt if no rule matches.

/// Maps a UNet's tensor name. `layers_per_block`: number of ResNet blocks in a down block (2 in
/// every published model).
[[nodiscard]] std::optional<std::string> unet_name_from_compvis(std::string_view name,
                                                                int layers_per_block);

/// Maps a VAE's tensor name. `level_count`: number of resolutions of the VAE (4), used to reverse
/// the numbers of up levels: CompVis begins with the finest level, diffusers with the coarsest.
[[nodiscard]] std::optional<std::string> vae_name_from_compvis(std::string_view name,
                                                               int level_count);

/// Maps a tensor name of OpenCLIP's text transformer. The caller must convert two tensors:
/// - "text_projection" is the transpose of diffusers' tensor. "text_projection.weight", which
/// diffusers' conversion script writes, is not transposed.
/// - The joint in_proj of attention gets the name of the attention ("….self_attn") plus
/// ".in_proj_weight" or ".in_proj_bias", and must be split into q, k and v.
[[nodiscard]] std::optional<std::string> text_name_from_open_clip(std::string_view name);

} // namespace sdbench
