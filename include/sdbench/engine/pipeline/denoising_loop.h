#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/pipeline/denoising_step.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {

/// All that a run's steps read besides weights and plain numbers: tensors on the device.
struct DenoisingInputs {
  Conditioning conditioning;
  at::Tensor timesteps; ///< [steps], fp32
  at::Tensor latents;   ///< [B, 4, h, w], the sampler's first
  at::Tensor noise;     ///< that the steps add: see SamplerRun
};

/// How a run's steps are computed.
struct DenoisingOptions {
  double guidance = 1;
  bool kv_cache = false;
  bool time_cache = false;
  bool shared_prefix = false;                         ///< where the model and the run allow it
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< of the steps; null: ATen's
};

/// From noise to latents: what the steps share, then step by step the UNet, guidance and the
/// sampler.
class DenoisingLoop {
public:
  /// `unet` must outlive this.
  DenoisingLoop(const UNet2dCondition& unet, std::shared_ptr<const DiffusionSampler> sampler,
                DenoisingOptions options)
      : unet_(unet), sampler_(std::move(sampler)), options_(std::move(options)) {}

  /// -> latents [B, 4, h, w]. `graphed`: what has the UNet's calls as graphs; null: none.
  [[nodiscard]] at::Tensor operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                      GraphedCall* graphed = nullptr) const;

  [[nodiscard]] const DiffusionSampler& sampler() const { return *sampler_; }
  [[nodiscard]] const DenoisingOptions& options() const { return options_; }

private:
  const UNet2dCondition& unet_;
  std::shared_ptr<const DiffusionSampler> sampler_;
  DenoisingOptions options_;
};

} // namespace sdbench
