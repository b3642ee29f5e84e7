#include "sdbench/engine/pipeline/denoising_step.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

/// [unconditioned, conditioned] -> one prediction.
at::Tensor guide(const at::Tensor& output, double scale) {
  const std::vector<at::Tensor> halves = output.chunk(2);
  return halves[0] + scale * (halves[1] - halves[0]);
}

} // namespace

DenoisingStep::Result DenoisingStep::operator()(const at::Tensor& output, const at::Tensor& latents,
                                                std::int64_t step, SamplerRun& run) const {
  if (kernels_ && kernels_->takes_linear_step(output, latents, guidance_.guided)) {
    if (std::optional<LinearStep> numbers = sampler_.linear_step(step)) {
      numbers->guided = guidance_.guided;
      numbers->guidance = static_cast<float>(guidance_.scale);
      const GpuKernels::Stepped done = kernels_->linear_step(output, latents, *numbers);
      return {done.latents, done.input};
    }
  }
  const at::Tensor next =
      sampler_.step(guidance_.guided ? guide(output, guidance_.scale) : output, latents, step, run);
  const bool is_last = step + 1 == sampler_.step_count();
  return {next, is_last ? next : sampler_.model_input(next, step + 1)};
}

} // namespace sdbench
