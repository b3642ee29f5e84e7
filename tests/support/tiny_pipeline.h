#pragma once

#include <memory>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench::test {

/// A component's synthetic weights of seed 0.
inline std::unique_ptr<LayerSource> synthetic(Component component, at::ScalarType dtype,
                                              at::Device device) {
  return std::make_unique<SyntheticSource>(0, folder_name(component), dtype, device);
}

/// Of a tiny model of configs/models, by name.
inline StableDiffusion tiny_pipeline(const std::string& model,
                                     const PipelineOptions& options = {}) {
  return StableDiffusion(find_model_config(model), synthetic, options);
}

inline PipelineOptions options_in(const StageDtype& dtype) {
  PipelineOptions options;
  options.dtype_text = options.dtype_unet = options.dtype_vae = dtype;
  return options;
}

} // namespace sdbench::test
