#pragma once

#include <filesystem>
#include <string>

#include "sdbench/weights/tensor_view.h"

namespace sdbench {

/// What a single CompVis/SGM file holds.
enum class SingleFileKind { kSd1, kSd2, kSdxl };

/// Found from the keys and shapes of `tensors`. Refiner, inpainting and other UNets that take more
/// than a latent are refused by name, as is a file that is none of these (Error; `origin`, the
/// file, stands before it).
[[nodiscard]] SingleFileKind detect_single_file(const TensorMap& tensors,
                                                const std::string& origin);
[[nodiscard]] SingleFileKind detect_single_file(const std::filesystem::path& file);

/// Whether an SD2 single file was trained for v-prediction. The keys do not tell; this is
/// diffusers' rule: yes, unless its global_step is 875000 (stable-diffusion-2-base).
[[nodiscard]] bool single_file_is_v_prediction(const std::filesystem::path& file);

} // namespace sdbench
