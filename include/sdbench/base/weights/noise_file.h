#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/weights/safetensors.h"

namespace sdbench {

/// The tensor "latents" of a file for --init-latents: fp32, of `shape` [images, channels, height,
/// width], in latent pixels. Does not check the values. If it is missing or different, throws Error
/// with the file's content.
[[nodiscard]] const TensorView& noise_in(const SafetensorsFile& file,
                                         const std::vector<std::int64_t>& shape);

} // namespace sdbench
