#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// The shipped model that a CompVis or SGM file contains, judged by its UNet and text encoders:
/// "sd15", "sd21", "sd-turbo" (SD2's UNet and text encoder in SGM's layout) or "sdxl". Throws an
/// Error whose message begins with `origin` (the file) for:
/// - SDXL's refiner
/// - UNets that take more input channels than a latent has, such as those for inpainting
/// - models with another noise process, such as EDM
/// - any other file
[[nodiscard]] std::string model_of_single_file(const TensorMap& tensors, const std::string& origin);

/// True if the file's UNet has the blocks, transformer layers and widths of the architecture
/// `unet`. Distilled models use the full model's tensor names, but lack some of its layers.
[[nodiscard]] bool has_unet_of(const TensorMap& tensors, const UNetConfig& unet);

/// Facts about a model's training that a file states by marker tensors. Only a marker's name
/// matters: the tensor contains no weights.
struct SingleFileMarkers {
  /// The model predicts the velocity (tensor "v_pred").
  bool v_prediction = false;
  /// The training schedule ended in pure noise (tensor "ztsnr").
  bool zero_terminal_snr = false;
};
[[nodiscard]] SingleFileMarkers single_file_markers(const TensorMap& tensors);

/// True if an SD2 file without markers was trained for v-prediction. Tensor names do not show it,
/// so diffusers' rule is used: true unless the file's global_step is 875000
/// (stable-diffusion-2-base).
[[nodiscard]] bool is_v_prediction_by_step(const TensorMap& tensors);

} // namespace sdbench
