#include "sdbench/engine/pipeline/denoising_loop.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {

std::shared_ptr<const DenoiserRun> DenoisingLoop::prepared(const DenoisingInputs& inputs,
                                                           GraphedPreparation* graphed) const {
  const Conditioning& conditioning = inputs.conditioning;
  const at::IntArrayRef size = inputs.latents.sizes();
  if (graphed == nullptr) {
    return denoiser_.prepare(conditioning, inputs.timesteps, size, options_);
  }
  GraphedCall::Tensors tensors{inputs.timesteps};
  each_tensor_of(conditioning, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  // Captures by value, because the graph may be recorded after the run.
  const auto work = [&denoiser = denoiser_, options = options_, form = conditioning,
                     size = size.vec()](const GraphedCall::Tensors& values) {
    Conditioning changed = form;
    auto next = values.begin() + 1;
    each_tensor_of(changed, [&](at::Tensor& tensor) { tensor = *next++; });
    return denoiser.prepare(changed, values.front(), size, options);
  };
  GraphedPreparation::Numbers numbers{conditioning.guided ? 1.0 : 0.0, options_.guidance};
  numbers.insert(numbers.end(), size.begin(), size.end());
  return (*graphed)(numbers, tensors, work);
}

at::Tensor DenoisingLoop::operator()(const DenoisingInputs& inputs, PipelineObserver& observer,
                                     const RunGraphs& graphs) const {
  // 1. What all steps share
  const bool guided = inputs.conditioning.guided;
  std::shared_ptr<const DenoiserRun> run_of_steps = prepared(inputs, graphs.preparation);
  GraphedCall::Tensors kept = run_of_steps->kept();
  // Captures by value, because a recorder may keep it longer than the run.
  GraphedCall::Work call = [run_of_steps](const GraphedCall::Tensors& shared,
                                          const GraphedCall::Tensors& changing) {
    return run_of_steps->call(changing.front(), shared, {changing.begin() + 1, changing.end()});
  };
  const DenoisingStep advance(*sampler_, {guided, options_.guidance}, options_.gpu_kernels);
  // 2. The steps
  at::Tensor latents = inputs.latents;
  SamplerRun run{inputs.noise, {}};
  if (graphs.calls != nullptr) {
    graphs.calls->begin_run();
  }
  at::Tensor sample = sampler_->model_input(latents, 0);
  for (std::int64_t i = 0; i < sampler_->step_count(); ++i) {
    GraphedCall::Tensors changing = run_of_steps->moment(i);
    changing.insert(changing.begin(), std::move(sample));
    const at::Tensor output =
        graphs.calls != nullptr ? (*graphs.calls)(kept, changing, call) : call(kept, changing);
    auto [next, input] = advance(output, latents, i, run);
    latents = std::move(next);
    sample = std::move(input);
    observer.on_step_tensors(i, output, latents);
    observer.on_step_done(i);
  }
  observer.on_denoised();
  // After the last mark: recording a graph counts in no step.
  if (graphs.calls != nullptr) {
    graphs.calls->end_run(call);
  }
  if (graphs.preparation != nullptr) {
    // The recording allocates these values anew; a small device has no room for both.
    call = nullptr;
    kept.clear();
    run_of_steps.reset();
    graphs.preparation->end_run();
  }
  return latents;
}

} // namespace sdbench
