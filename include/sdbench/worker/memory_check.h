#pragma once

#include <cstdint>

#include "sdbench/pipeline/stable_diffusion.h"

namespace sdbench {

/// Bytes of all weights in their dtypes, counted by building the model on the meta device, which
/// holds no memory.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// About what the largest intermediate results take: those of the VAE's last blocks, at full image
/// size.
[[nodiscard]] std::int64_t working_bytes(const VaeConfig& vae, at::ScalarType dtype,
                                         std::int64_t width, std::int64_t height,
                                         std::int64_t batch);

/// Throws CellFailure (oom_host or oom_device) with both figures if `needed` is more than
/// `available`.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device);

} // namespace sdbench
