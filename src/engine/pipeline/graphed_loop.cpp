#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

#include <cstdint>
#include <string>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

/// Passes each defined tensor of the inputs, const or not, to `visit`, always in the same order.
/// Most samplers have no noise.
template <class Inputs, class Visit>
void each_tensor(Inputs& inputs, const Visit& visit) {
  each_tensor_of(inputs.conditioning, visit);
  for (auto* tensor : {&inputs.timesteps, &inputs.latents, &inputs.noise}) {
    if (tensor->defined()) {
      visit(*tensor);
    }
  }
}

/// Input tensors that change from run to run.
GraphedCall::Tensors tensors_of_run(const DenoisingInputs& inputs) {
  GraphedCall::Tensors tensors;
  each_tensor(inputs, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

/// `form` with other tensors, in the order of tensors_of_run().
DenoisingInputs inputs_of_tensors(DenoisingInputs form, const GraphedCall::Tensors& tensors) {
  auto next = tensors.begin();
  each_tensor(form, [&](at::Tensor& tensor) { tensor = *next++; });
  return form;
}

/// Sets a mark after each step. The warm-up makes the marks, so that none is made or destroyed
/// while the graph is recorded.
class StepMarks final : public PipelineObserver {
public:
  StepMarks(c10::Device device, std::vector<std::shared_ptr<DeviceMark>>& marks)
      : device_(device), marks_(marks) {}
  void on_step_done(std::int64_t step) override {
    const auto index = static_cast<std::size_t>(step);
    if (index == marks_.size()) {
      marks_.push_back(make_device_mark(device_));
    }
    marks_.at(index)->set();
  }

private:
  c10::Device device_;
  std::vector<std::shared_ptr<DeviceMark>>& marks_;
};

} // namespace

at::Tensor GraphedLoop::operator()(const DenoisingLoop& loop, const DenoisingInputs& inputs,
                                   PipelineObserver& observer) {
  const DiffusionSampler& sampler = loop.sampler();
  Numbers numbers{loop.options().guidance, std::string(sampler.name()), sampler.schedule().sigmas};
  if (numbers != numbers_) {
    call_.forget();
    numbers_ = std::move(numbers);
  }
  const GraphedCall::Tensors tensors = tensors_of_run(inputs);
  call_.expect({}, tensors);
  if (!call_.replays({}, tensors) || observer.wants_step_tensors()) {
    at::Tensor latents = loop(inputs, observer);
    // After the last mark, so that recording a graph counts in no step.
    call_.prepare({}, tensors, work(loop, inputs));
    return latents;
  }
  // A copy, because the next replay overwrites the graph's own tensor.
  at::Tensor latents = call_({}, tensors, work(loop, inputs)).clone();
  for (std::int64_t step = 0; step < sampler.step_count(); ++step) {
    observer.on_step_replayed(step, marks_->at(static_cast<std::size_t>(step)));
  }
  observer.on_denoised();
  return latents;
}

GraphedCall::Work GraphedLoop::work(const DenoisingLoop& loop, const DenoisingInputs& form) {
  return [loop, form, marks = marks_](const GraphedCall::Tensors&,
                                      const GraphedCall::Tensors& tensors) {
    const DenoisingInputs inputs = inputs_of_tensors(form, tensors);
    StepMarks observer(inputs.latents.device(), *marks);
    return loop(inputs, observer);
  };
}

} // namespace sdbench
