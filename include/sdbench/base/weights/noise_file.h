#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/weights/safetensors.h"

namespace sdbench {

/// Returns the tensor "latents" of a file for --init-latents. The tensor must be fp32 and have this
/// `shape`: [images, channels, height, width], in latent pixels. Its values are not checked.
/// If the tensor is missing or has another dtype or shape, throws an Error that says so.
[[nodiscard]] const TensorView& noise_in(const SafetensorsFile& file,
                                         const std::vector<std::int64_t>& shape);

} // namespace sdbench
