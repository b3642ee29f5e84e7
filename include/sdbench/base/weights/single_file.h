#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// The shipped model that a single CompVis or SGM file is of: "sd15", "sd21", "sd-turbo" (SD2's
/// UNet and text encoder in SGM's layout) or "sdxl", by its UNet and text encoders. Throws Error,
/// with `origin` (the file) in front, for the refiner, for inpainting and other UNets that take
/// more than a latent and a prompt, for another noise process, and for any other file.
[[nodiscard]] std::string model_of_single_file(const TensorMap& tensors, const std::string& origin);

/// True if the file's UNet has the blocks, transformer layers and widths of that architecture.
/// Distilled models lack some of them, but use the full model's names.
[[nodiscard]] bool has_unet_of(const TensorMap& tensors, const UNetConfig& unet);

/// Facts about a file's training from marker tensors, which have names but no weights.
struct SingleFileMarkers {
  bool v_prediction = false;
  bool zero_terminal_snr = false;
};
[[nodiscard]] SingleFileMarkers single_file_markers(const TensorMap& tensors);

/// True if an SD2 file without markers was trained for v-prediction. The tensor names do not show
/// it. This is diffusers' rule: true unless its global_step is 875000 (stable-diffusion-2-base).
[[nodiscard]] bool is_v_prediction_by_step(const TensorMap& tensors);

} // namespace sdbench
