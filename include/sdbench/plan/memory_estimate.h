#pragma once

#include <cstdint>

#include "sdbench/config/model_config.h"
#include "sdbench/core/dtype.h"

namespace sdbench {

/// Bytes of a model's weights, all stages in one dtype.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& model, Dtype dtype);

/// About what the largest intermediate results take: those of the VAE's last blocks, at full image
/// size.
[[nodiscard]] std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element,
                                          std::int64_t width, std::int64_t height,
                                          std::int64_t batch);

} // namespace sdbench
