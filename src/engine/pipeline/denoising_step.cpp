#include "sdbench/engine/pipeline/denoising_step.h"

#include <cstdint>
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
                                                std::int64_t step) const {
  if (kernels_ && kernels_->takes_euler_step(output, latents, guidance_.guided)) {
    EulerNumbers numbers = scheduler_.numbers(step);
    numbers.guided = guidance_.guided;
    numbers.guidance = static_cast<float>(guidance_.scale);
    const GpuKernels::EulerStep done = kernels_->euler_step(output, latents, numbers);
    return {done.latents, done.input};
  }
  const at::Tensor next =
      scheduler_.step(guidance_.guided ? guide(output, guidance_.scale) : output, latents, step);
  const bool is_last = step + 1 == scheduler_.step_count();
  return {next, is_last ? next : scheduler_.scale_model_input(next, step + 1)};
}

} // namespace sdbench
