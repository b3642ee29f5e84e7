#include "sdbench/engine/worker/image_work.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/pipeline_models.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/worker/batch_timer.h"

namespace sdbench {
namespace {

/// A BatchTimer that can also check the first UNet call's values and keep each step's latents.
class ProbingTimer final : public PipelineObserver {
public:
  /// `kept`: gets a copy of the latents after each step; may be null.
  ProbingTimer(BatchTimer& timer, bool probe, std::vector<at::Tensor>* kept)
      : timer_(timer), probe_(probe), kept_(kept) {}

  [[nodiscard]] bool wants_step_tensors() const override { return probe_ || kept_ != nullptr; }
  void on_step_tensors(std::int64_t, const at::Tensor& unet_output,
                       const at::Tensor& latents) override {
    if (std::exchange(probe_, false) && !unet_output.isfinite().all().item<bool>()) {
      throw ImageWork::NotFinite{};
    }
    if (kept_ != nullptr) {
      kept_->push_back(latents.to(at::kCPU, at::kFloat));
    }
  }
  void on_step_done(std::int64_t step) override { timer_.on_step_done(step); }
  void on_step_replayed(std::int64_t step, const std::shared_ptr<const DeviceMark>& mark) override {
    timer_.on_step_replayed(step, mark);
  }
  void on_denoised() override { timer_.on_denoised(); }

private:
  BatchTimer& timer_;
  bool probe_;
  std::vector<at::Tensor>* kept_;
};

std::vector<std::string> prompts_of_batch(const Cell& cell, std::int64_t first) {
  if (cell.prompts.size() == 1) {
    return std::vector<std::string>(static_cast<std::size_t>(cell.batch), cell.prompts.front());
  }
  const auto begin = cell.prompts.begin() + first;
  return {begin, begin + cell.batch};
}

} // namespace

DenoiseOptions denoise_options(const Cell& cell) {
  return {
      cell.steps, cell.guidance, cell.timestep_spacing, cell.karras, sampler_maker(cell.sampler),
      cell.seed};
}

std::string check_output(const at::Tensor& latents, const at::Tensor& pixels) {
  const c10::InferenceMode inference;
  if (!(latents.isfinite().all() & pixels.isfinite().all()).item<bool>()) {
    return "non_finite";
  }
  const at::Tensor bytes = (pixels.clamp(0, 1) * 255).round();       // as the PNG will show it
  const at::Tensor spread = bytes.amax({2, 3}) - bytes.amin({2, 3}); // [B, 3]
  return (spread == 0).all(1).any().item<bool>() ? "constant" : "pass";
}

ImageWork::ImageWork(const StableDiffusion& pipeline, const Cell& cell, DeviceClock& clock,
                     at::Tensor noise)
    : pipeline_(pipeline), cell_(cell), clock_(clock), noise_(std::move(noise)),
      options_(denoise_options(cell)) {}

RunSample ImageWork::run(const StepListener& listener, RunOutput& output) {
  RunSample sample;
  std::vector<RunOutput> outputs;
  for (std::int64_t index = 0; index < cell_.images / cell_.batch; ++index) {
    run_batch(index, listener, sample, outputs);
  }
  output.check = "pass";
  for (const RunOutput& batch : outputs) {
    if (output.check == "pass" || batch.check == "non_finite") {
      output.check = batch.check;
    }
  }
  const auto of_all_batches = [&](const auto& tensor_of) {
    return at::cat(mapped(outputs, tensor_of));
  };
  output.pixels = of_all_batches(&RunOutput::pixels);
  output.latents = of_all_batches(&RunOutput::latents);
  output.step_latents.clear();
  for (std::size_t step = 0; step < outputs.front().step_latents.size(); ++step) {
    output.step_latents.push_back(
        of_all_batches([&](const RunOutput& batch) { return batch.step_latents[step]; }));
  }
  return sample;
}

RunSample ImageWork::warm_up(const StepListener& listener) {
  RunSample sample;
  std::vector<RunOutput> outputs;
  run_batch(0, listener, sample, outputs);
  return sample;
}

void ImageWork::run_batch(std::int64_t index, const StepListener& listener, RunSample& sample,
                          std::vector<RunOutput>& outputs) {
  const c10::InferenceMode inference;
  const std::int64_t first = index * cell_.batch;
  const std::int64_t first_step = index * pipeline_.unet_calls(options_);
  options_.first_seed = cell_.seed + static_cast<std::uint64_t>(first);
  const std::vector<std::string> prompts = prompts_of_batch(cell_, first);
  BatchTimer timer(
      clock_, [&](std::int64_t step, double seconds) { listener(first_step + step, seconds); });
  RunOutput output;
  const bool probe = std::exchange(probe_, false);
  ProbingTimer observer(timer, probe, cell_.dump_run.empty() ? nullptr : &output.step_latents);

  timer.start();
  pipeline_.bring(Stage::kText);
  timer.text_begins();
  const Conditioning conditioning = pipeline_.encode(prompts, cell_.negative_prompt, cell_.guidance,
                                                     cell_.width, cell_.height, cell_.clip_skip);
  timer.text_done();
  pipeline_.bring(Stage::kUNet);
  const at::Tensor noise =
      noise_.defined()
          ? noise_.narrow(0, first, cell_.batch)
          : pipeline_.initial_noise(options_.first_seed, cell_.batch, cell_.width, cell_.height);
  const at::Tensor brought = pipeline_.bring_noise(noise); // a GPU still computes the text
  timer.denoise_begins();
  const at::Tensor latents = pipeline_.denoise(brought, conditioning, options_, observer);
  pipeline_.bring(Stage::kVae);
  timer.decode_begins();
  const at::Tensor pixels = pipeline_.decode(latents);
  timer.decoded();
  const at::Tensor bytes = StableDiffusion::to_uint8(pixels);
  timer.finish(sample);
  // The copy for the next batch reuses this one's pinned memory.
  output.pixels = pixels.is_cuda() ? bytes.clone() : bytes;

  output.latents = latents.to(at::kCPU, at::kFloat);
  output.check = check_output(latents, pixels);
  if (probe && output.check == "non_finite") {
    throw NotFinite{};
  }
  outputs.push_back(std::move(output));
}

} // namespace sdbench
