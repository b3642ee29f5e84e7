#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/denoising_step.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {

/// Everything that a run's steps read, besides weights and plain numbers: tensors on the device.
struct DenoisingInputs {
  Conditioning conditioning;
  at::Tensor timesteps; ///< [steps], fp32
  at::Tensor latents;   ///< [B, C, h, w], the first of the sampler
  at::Tensor noise;     ///< added by steps: see SamplerRun
};

/// Turns noise into latents. First computes what the steps share, then for each step calls the
/// denoiser, guidance and the sampler.
class DenoisingLoop {
public:
  /// `denoiser` must outlive this.
  DenoisingLoop(const Denoiser& denoiser, std::shared_ptr<const DiffusionSampler> sampler,
                DenoisingOptions options)
      : denoiser_(denoiser), sampler_(std::move(sampler)), options_(std::move(options)) {}

  /// Returns latents [B, C, h, w]. `graphed`: records the denoiser's calls as graphs; null: no
  /// graphs.
  [[nodiscard]] at::Tensor operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                      GraphedCall* graphed = nullptr) const;

  [[nodiscard]] const DiffusionSampler& sampler() const { return *sampler_; }
  [[nodiscard]] const DenoisingOptions& options() const { return options_; }

private:
  const Denoiser& denoiser_;
  std::shared_ptr<const DiffusionSampler> sampler_;
  DenoisingOptions options_;
};

} // namespace sdbench
