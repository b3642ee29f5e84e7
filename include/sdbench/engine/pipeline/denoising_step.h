#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"

namespace sdbench {

/// Classifier-free guidance. If `guided`, a prediction has two halves: unconditioned, conditioned.
struct Guidance {
  bool guided = false;
  double scale = 1;
};

/// The work between two calls of the UNet: guidance, the sampler's step, the next call's input.
class DenoisingStep {
public:
  /// `sampler` must outlive this. `kernels`: null for ATen's.
  DenoisingStep(const DiffusionSampler& sampler, const Guidance& guidance,
                std::shared_ptr<const GpuKernels> kernels)
      : sampler_(sampler), guidance_(guidance), kernels_(std::move(kernels)) {}

  struct Result {
    at::Tensor latents; ///< [B, 4, h, w], after the step
    at::Tensor input;   ///< for the next call; undefined after the last step
  };
  /// output [B, 4, h, w], or [2B, 4, h, w] if guided; latents [B, 4, h, w] before the step.
  [[nodiscard]] Result operator()(const at::Tensor& output, const at::Tensor& latents,
                                  std::int64_t step, SamplerRun& run) const;

private:
  const DiffusionSampler& sampler_;
  Guidance guidance_;
  std::shared_ptr<const GpuKernels> kernels_;
};

} // namespace sdbench
