#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"

namespace sdbench {

/// Classifier-free guidance. If `guided`, the UNet's output has two halves along the batch: first
/// unconditioned, then conditioned.
struct Guidance {
  bool guided = false;
  double scale = 1;
};

/// Does the work between two UNet calls: applies guidance, does the sampler's step and makes the
/// next call's input.
class DenoisingStep {
public:
  /// `sampler` must outlive this. `kernels`: our kernels; null: uses ATen's.
  DenoisingStep(const DiffusionSampler& sampler, const Guidance& guidance,
                std::shared_ptr<const GpuKernels> kernels)
      : sampler_(sampler), guidance_(guidance), kernels_(std::move(kernels)) {}

  struct Result {
    at::Tensor latents; ///< [B, C, h, w], after the step
    at::Tensor input;   ///< input of the next UNet call; unused after the last step
  };
  /// `output`: the UNet's output [B, C, h, w], or [2B, C, h, w] if guided. `latents`: the latents
  /// before the step, [B, C, h, w].
  [[nodiscard]] Result operator()(const at::Tensor& output, const at::Tensor& latents,
                                  std::int64_t step, SamplerRun& run) const;

private:
  const DiffusionSampler& sampler_;
  Guidance guidance_;
  std::shared_ptr<const GpuKernels> kernels_;
};

} // namespace sdbench
