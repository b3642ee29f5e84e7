#include "sdbench/engine/pipeline/denoising_loop.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

at::Tensor DenoisingLoop::operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                     GraphedCall* graphed) const {
  // 1. What all steps share
  const bool guided = inputs.conditioning.guided;
  const std::shared_ptr<const DenoiserRun> prepared =
      denoiser_.prepare(inputs.conditioning, inputs.timesteps, inputs.latents.sizes(), options_);
  const GraphedCall::Tensors kept = prepared->kept();
  // Captures by value, because a recorder may keep it longer than the run.
  const GraphedCall::Work call = [prepared](const GraphedCall::Tensors& shared,
                                            const GraphedCall::Tensors& changing) {
    return prepared->call(changing.front(), shared, {changing.begin() + 1, changing.end()});
  };
  const DenoisingStep advance(*sampler_, {guided, options_.guidance}, options_.gpu_kernels);
  // 2. The steps
  at::Tensor latents = inputs.latents;
  SamplerRun run{inputs.noise, {}};
  at::Tensor sample = sampler_->model_input(latents, 0);
  for (std::int64_t i = 0; i < sampler_->step_count(); ++i) {
    GraphedCall::Tensors changing = prepared->moment(i);
    changing.insert(changing.begin(), std::move(sample));
    const at::Tensor output =
        graphed != nullptr ? (*graphed)(kept, changing, call) : call(kept, changing);
    auto [next, input] = advance(output, latents, i, run);
    latents = std::move(next);
    sample = std::move(input);
    observer.on_step_tensors(i, output, latents);
    observer.on_step_done(i);
  }
  observer.on_denoised();
  if (graphed != nullptr) { // after the last mark: recording a graph counts in no step
    graphed->end_run(call);
  }
  return latents;
}

} // namespace sdbench
