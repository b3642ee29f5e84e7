#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// These functions map CompVis/SGM names, without the component's prefix, to diffusers' names. They
/// return nullopt if no rule matches.

/// `layers_per_block`: resnets in a down block (2 in every published model).
[[nodiscard]] std::optional<std::string> unet_name_from_compvis(std::string_view name,
                                                                int layers_per_block);

/// `level_count`: resolutions of the VAE (4); CompVis numbers the up levels from the finest,
/// diffusers from the coarsest.
[[nodiscard]] std::optional<std::string> vae_name_from_compvis(std::string_view name,
                                                               int level_count);

/// OpenCLIP's text transformer. "text_projection" is the transpose of the tensor with its new name;
/// "text_projection.weight", which diffusers' conversion script writes, is not transposed. The
/// joint in_proj of attention gets the attention's name ("….self_attn") plus ".in_proj_weight" or
/// ".in_proj_bias"; the caller splits it in three.
[[nodiscard]] std::optional<std::string> text_name_from_open_clip(std::string_view name);

} // namespace sdbench
