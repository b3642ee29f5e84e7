#pragma once

#include <memory>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/pipeline/golden.h"

namespace sdbench::testing {

/// The golden check of a model with the synthetic weights of `seed` on the CPU.
inline GoldenResult golden_result(const ModelConfig& config, at::ScalarType dtype,
                                  std::uint64_t seed = 0,
                                  const std::filesystem::path& folder = share_folder() / "golden") {
  const LayerSourceFactory weights = [seed](Component component, at::ScalarType type,
                                            at::Device device) {
    return std::make_unique<SyntheticSource>(seed, folder_name(component), type, device);
  };
  const PipelineOptions options{
      .device = at::kCPU, .dtype_text = dtype, .dtype_unet = dtype, .dtype_vae = dtype};
  return check_golden(StableDiffusion(config, weights, options), options, folder);
}

} // namespace sdbench::testing
