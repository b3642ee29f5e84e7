#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Names of CompVis/SGM checkpoints, their component's prefix taken off → diffusers' names. Nothing
/// if no rule knows the name.

/// `layers_per_block`: resnets in a down block (2 in every published model).
[[nodiscard]] std::optional<std::string> unet_name_from_compvis(std::string_view name,
                                                                int layers_per_block);

/// `level_count`: resolutions of the VAE (4); CompVis numbers the up levels from the finest,
/// diffusers from the coarsest.
[[nodiscard]] std::optional<std::string> vae_name_from_compvis(std::string_view name,
                                                               int level_count);

/// OpenCLIP's text transformer. "text_projection" is the transpose of what its new name stands for;
/// with ".weight" after it, as diffusers' own conversion script writes it, it is not. The joint
/// in_proj of attention is answered with the name of the attention ("….self_attn") plus
/// ".in_proj_weight" or ".in_proj_bias": the caller cuts it in three.
[[nodiscard]] std::optional<std::string> text_name_from_open_clip(std::string_view name);

} // namespace sdbench
