#include "sdbench/engine/pipeline/denoising_loop.h"

#include <cstdint>
#include <optional>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/pipeline/unet_call.h"

namespace sdbench {

at::Tensor DenoisingLoop::operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                     GraphedCall* graphed) const {
  // 1. all that the steps share
  const Conditioning& conditioning = inputs.conditioning;
  UNetPrompt prompt{conditioning.context, std::nullopt, std::nullopt};
  if (options_.kv_cache) {
    prompt.text = unet_.text(conditioning.context, TextForm::kKeys);
  }
  if (conditioning.pooled.defined()) {
    prompt.added = AddedConditioning{conditioning.pooled, conditioning.time_ids};
  }
  if (unet_.takes_guidance()) {
    prompt.guidance = at::full({1}, options_.guidance, inputs.timesteps.options());
  }
  const bool shares_prefix = options_.shared_prefix && conditioning.guided && !prompt.added;
  const std::int64_t rows = conditioning.context.size(0);
  UNetTimes times; // of all steps, or none
  if (options_.time_cache) {
    times = unet_.times(inputs.timesteps, prompt.added ? rows : 1, prompt.added, prompt.guidance);
    prompt.added.reset(); // it is in there, as is this:
    prompt.guidance.reset();
  }
  const UNetCall call(unet_, conditioning.guided && !shares_prefix, shares_prefix ? 1 : rows);
  const DenoisingStep advance(*sampler_, {conditioning.guided, options_.guidance},
                              options_.gpu_kernels);
  // 2. the steps
  at::Tensor latents = inputs.latents;
  SamplerRun run{inputs.noise, {}};
  UNetMoment moment{sampler_->model_input(latents, 0), {}};
  for (std::int64_t i = 0; i < sampler_->step_count(); ++i) {
    if (times.size() == 0) {
      moment.time = inputs.timesteps.narrow(0, i, 1);
    } else {
      moment.time = times.at(i);
    }
    const at::Tensor output =
        graphed != nullptr ? call(prompt, moment, *graphed) : call(prompt, moment);
    auto [next, input] = advance(output, latents, i, run);
    latents = std::move(next);
    moment.sample = std::move(input);
    observer.on_step_tensors(i, output, latents);
    observer.on_step_done(i);
  }
  observer.on_denoised();
  if (graphed != nullptr) { // after the last mark: what it may make up for is no step's work
    call.end_run(prompt, moment, *graphed);
  }
  return latents;
}

} // namespace sdbench
