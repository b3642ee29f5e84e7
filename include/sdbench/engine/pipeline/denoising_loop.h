#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/denoising_step.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/graphed_once.h"
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

/// Passes each defined tensor of a Conditioning, const or not, to `visit`, always in the same
/// order. Some models have no pooled state and no time ids.
template <class Conditions, class Visit>
void each_tensor_of(Conditions& conditioning, const Visit& visit) {
  for (auto* tensor : {&conditioning.context, &conditioning.pooled, &conditioning.time_ids}) {
    if (tensor->defined()) {
      visit(*tensor);
    }
  }
}

/// What a denoiser computes once for all steps, as a graph.
using GraphedPreparation = GraphedOnce<std::shared_ptr<const DenoiserRun>>;

/// The graphs that a run may replay; null: the host launches each kernel.
struct RunGraphs {
  GraphedCall* calls = nullptr; ///< the denoiser's calls
  GraphedPreparation* preparation = nullptr;
};

/// Turns noise into latents. First computes what all steps share. Then each step calls the
/// denoiser, applies guidance and does the sampler's step.
class DenoisingLoop {
public:
  /// `denoiser` must outlive this.
  DenoisingLoop(const Denoiser& denoiser, std::shared_ptr<const DiffusionSampler> sampler,
                DenoisingOptions options)
      : denoiser_(denoiser), sampler_(std::move(sampler)), options_(std::move(options)) {}

  /// Returns latents [B, C, h, w].
  [[nodiscard]] at::Tensor operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                      const RunGraphs& graphs = {}) const;

  [[nodiscard]] const DiffusionSampler& sampler() const { return *sampler_; }
  [[nodiscard]] const DenoisingOptions& options() const { return options_; }

private:
  [[nodiscard]] std::shared_ptr<const DenoiserRun> prepared(const DenoisingInputs& inputs,
                                                            GraphedPreparation* graphed) const;

  const Denoiser& denoiser_;
  std::shared_ptr<const DiffusionSampler> sampler_;
  DenoisingOptions options_;
};

} // namespace sdbench
