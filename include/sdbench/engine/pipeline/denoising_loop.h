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

/// The tensors that a run's steps read, besides the weights. All of them are on the device.
struct DenoisingInputs {
  Conditioning conditioning;
  at::Tensor timesteps; ///< [steps], fp32
  at::Tensor latents;   ///< [B, C, h, w], result of DiffusionSampler::begin()
  at::Tensor noise;     ///< for steps that add noise: see SamplerRun
};

/// Turns noise into latents. First computes what all steps share. Then each step calls the
/// denoiser, applies guidance and does the sampler's step.
class DenoisingLoop {
public:
  /// `denoiser` must outlive this.
  DenoisingLoop(const Denoiser& denoiser, std::shared_ptr<const DiffusionSampler> sampler,
                DenoisingOptions options)
      : denoiser_(denoiser), sampler_(std::move(sampler)), options_(std::move(options)) {}

  /// Returns latents [B, C, h, w]. `graphed`: replays the denoiser's calls as a CUDA graph; null:
  /// no graph.
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
