#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// What a single CompVis/SGM file holds. SD Turbo is SD2's UNet and text encoder in SGM's layout.
enum class SingleFileKind { kSd1, kSd2, kSdTurbo, kSdxl };

/// Detects the kind from the UNet and the text encoders in `tensors`. The refiner, inpainting and
/// other UNets that take more than a latent and a prompt are refused by name, as are those of
/// another noise process and a file that is none of these (Error; `origin`, the file, stands before
/// it).
[[nodiscard]] SingleFileKind detect_single_file(const TensorMap& tensors,
                                                const std::string& origin);

/// True if the file's UNet has the blocks, transformer layers and widths of that architecture.
/// Distilled models lack some of them, but use the full model's names.
[[nodiscard]] bool has_unet_of(const TensorMap& tensors, const UNetConfig& unet);

/// What marker tensors say of a file's training: those have a name and no weights.
struct SingleFileMarkers {
  bool v_prediction = false;
  bool zero_terminal_snr = false;
};
[[nodiscard]] SingleFileMarkers single_file_markers(const TensorMap& tensors);

/// Whether an SD2 file without markers was trained for v-prediction. The keys do not tell; this is
/// diffusers' rule: yes, unless its global_step is 875000 (stable-diffusion-2-base).
[[nodiscard]] bool is_v_prediction_by_step(const TensorMap& tensors);

} // namespace sdbench
