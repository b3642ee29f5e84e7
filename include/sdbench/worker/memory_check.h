#pragma once

#include <cstdint>
#include <string>

#include "sdbench/pipeline/stable_diffusion.h"

namespace sdbench {

/// Bytes of all weights in their dtypes, counted by building the model on the meta device, which
/// holds no memory.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// What a run computes at once and keeps.
struct WorkShape {
  std::int64_t width = 0; ///< pixels
  std::int64_t height = 0;
  std::int64_t batch = 1;
  std::int64_t images = 1;
  bool guided = true; ///< classifier-free guidance: the UNet sees the batch twice
};

/// About what the largest intermediate results take: those of the VAE's last blocks, at full image
/// size.
[[nodiscard]] std::int64_t vae_working_bytes(const VaeConfig& vae, at::ScalarType dtype,
                                             const WorkShape& work);

/// About what the UNet's take: the skip connections, and a level's feed-forward or, where a kernel
/// makes them (math, sliced), its attention scores.
[[nodiscard]] std::int64_t
unet_working_bytes(const ModelConfig& model, const PipelineOptions& options, const WorkShape& work);

/// Images and latents that are kept on the host until the end.
[[nodiscard]] std::int64_t kept_bytes(const ModelConfig& model, const WorkShape& work);

/// Bytes as "23.5 GiB".
[[nodiscard]] std::string gib_text(std::int64_t bytes);

/// Throws what require_memory throws if the model, its largest intermediate results and the kept
/// images do not fit.
void require_memory_for(const ModelConfig& model, const PipelineOptions& options,
                        const WorkShape& work);

/// Throws CellFailure (oom_host or oom_device) with both figures if `needed` is more than
/// `available`.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device);

} // namespace sdbench
