// A denoiser is a value behind one seam: what another family needs goes through loop and graphs.
#include "sdbench/engine/pipeline/denoiser.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "catch.h"
#include "loop_runs.h"
#include "made_up_cell.h"
#include "made_up_text.h"
#include "replayed_work.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/denoising_loop.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/golden.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/pipeline/text_encoder.h"
#include "sdbench/engine/worker/image_work.h"
#include "tiny_pipeline.h"

using namespace sdbench;
using test::heard_in_run;

namespace {

constexpr std::int64_t kChannels = test::kMadeUpChannels;
constexpr std::int64_t kTextWidth = test::kMadeUpTextWidth;

/// With all that no UNet has: 16 channels, a text that is no CLIP's beside a pooled one, places of
/// the latents' positions, and guidance as an input, for which there is no second half.
class MadeUpDenoiser final : public Denoiser {
public:
  explicit MadeUpDenoiser(
      at::Tensor weight = at::linspace(-1, 1, kTextWidth* kChannels).view({kTextWidth, -1}))
      : text_weight(std::move(weight)) {}

  std::shared_ptr<const DenoiserRun> prepare(const Conditioning& conditioning,
                                             const at::Tensor& timesteps, at::IntArrayRef size,
                                             const DenoisingOptions& options) const override {
    CHECK_FALSE(conditioning.guided);
    CHECK(size[1] == kChannels);
    return std::make_shared<Run>(
        text_weight, timesteps,
        DenoiserRun::Tensors{conditioning.context, conditioning.pooled,
                             at::linspace(-1, 1, size[2] * size[3]).view({size[2], size[3]}),
                             at::full({1}, options.guidance)});
  }

private:
  struct Run final : DenoiserRun {
    Run(const at::Tensor& weight, const at::Tensor& all_timesteps, Tensors of_prompt)
        : text_weight(weight), timesteps(all_timesteps), prompt(std::move(of_prompt)) {}
    Tensors kept() const override { return prompt; }
    Tensors moment(std::int64_t step) const override {
      const at::Tensor time = timesteps.narrow(0, step, 1) / 1000;
      return {time, at::sin(time * at::arange(1, kChannels + 1))};
    }
    at::Tensor call(const at::Tensor& sample, const Tensors& kept,
                    const Tensors& moment) const override {
      const at::Tensor text = at::matmul(kept[0].mean({1}, false), text_weight) * kept[1]; // [B, C]
      const at::Tensor shift = text + moment[1] * kept[3];
      return at::tanh(sample * moment[0] + shift.view({-1, kChannels, 1, 1}) + kept[2]);
    }
    at::Tensor text_weight;
    at::Tensor timesteps;
    Tensors prompt;
  };
  at::Tensor text_weight; ///< [text width, channels]
};

DenoisingLoop loop_of(const Denoiser& denoiser, std::int64_t steps, double guidance) {
  return {denoiser,
          sampler_maker(kUsualSampler.name)(SchedulerConfig{}, steps),
          {.guidance = guidance}};
}

at::Tensor text_weight(const Weights& weights) {
  return weights.take("text.weight", {kTextWidth, kChannels});
}

StableDiffusion made_up_pipeline() {
  return {test::made_up_model(),
          test::synthetic,
          {},
          {.tokenizer = test::made_up_tokenizer,
           .text_encoder = test::made_up_text_encoder,
           .denoiser = [](const auto&, const Weights& weights, Attention) {
             return std::make_unique<MadeUpDenoiser>(text_weight(weights));
           }}};
}

/// With values of their own for each `seed`. Two images, neither high as wide nor of 77 tokens.
DenoisingInputs inputs_of(const DenoisingLoop& loop, int seed, std::int64_t width = 6) {
  at::manual_seed(static_cast<std::uint64_t>(seed));
  static const StableDiffusion pipeline = made_up_pipeline();
  DenoisingInputs inputs;
  inputs.conditioning = pipeline.encode({std::to_string(seed), "a lake"}, std::nullopt, 5, 48, 32);
  inputs.timesteps = at::tensor(loop.sampler().schedule().timesteps, at::kFloat);
  inputs.latents = at::randn({2, kChannels, 4, width}) * 10;
  return inputs;
}

/// The latents of three steps, each written out.
at::Tensor in_turn(const Denoiser& denoiser, const DenoisingLoop& loop,
                   const DenoisingInputs& inputs) {
  const auto prepared = denoiser.prepare(inputs.conditioning, inputs.timesteps,
                                         inputs.latents.sizes(), loop.options());
  at::Tensor latents = inputs.latents;
  SamplerRun run;
  for (std::int64_t step = 0; step < 3; ++step) {
    const at::Tensor output = prepared->call(loop.sampler().model_input(latents, step),
                                             prepared->kept(), prepared->moment(step));
    latents = loop.sampler().step(output, latents, step, run);
  }
  return latents;
}

/// A golden file of these tensors.
void write_golden(const std::filesystem::path& folder,
                  const std::map<std::string, at::Tensor>& tensors, const std::string& guidance) {
  std::vector<TensorDeclaration> declared;
  std::vector<at::Tensor> values;
  for (const auto& [name, tensor] : tensors) {
    declared.push_back({name, Dtype::kF32, tensor.sizes().vec()});
    values.push_back(tensor.contiguous());
  }
  write_safetensors(folder / "made-up.safetensors", declared,
                    [&](std::size_t index, std::span<std::byte> out) {
                      std::memcpy(out.data(), values[index].const_data_ptr(), out.size());
                    },
                    {{"architecture", architecture_id(test::made_up_model())},
                     {"prompt", "a lake"},
                     {"guidance", guidance},
                     {"steps", "3"},
                     {"width", "48"},
                     {"height", "32"}});
}

} // namespace

TEST_CASE("a denoiser that is no UNet is called once a step, and its output is no pair of halves") {
  const c10::InferenceMode inference;
  const MadeUpDenoiser denoiser;
  const DenoisingLoop loop = loop_of(denoiser, 3, 5.0);
  const DenoisingInputs inputs = inputs_of(loop, 0);
  PipelineObserver nobody;
  const at::Tensor result = loop(inputs, nobody);
  CHECK(result.sizes() == at::IntArrayRef({2, kChannels, 4, 6}));

  CHECK(at::equal(result, in_turn(denoiser, loop, inputs)));
  CHECK_FALSE(at::equal(result, loop_of(denoiser, 3, 2.0)(inputs, nobody)));
}

TEST_CASE("its calls are recorded as graphs, which see the prompt and the step that changed") {
  const c10::InferenceMode inference;
  const MadeUpDenoiser denoiser;
  const DenoisingLoop loop = loop_of(denoiser, 3, 5.0);
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  PipelineObserver nobody;
  for (int run = 0; run < 3; ++run) {
    const DenoisingInputs inputs = inputs_of(loop, run);
    CHECK(at::equal(loop(inputs, nobody, {.calls = &graphed}), loop(inputs, nobody)));
  }
  CHECK(log == "wwwcrrrrrr");
}

TEST_CASE("texts of another kind of encoder are replayed as a graph with their own words") {
  const c10::InferenceMode inference;
  const ModelConfig model = test::made_up_model();
  PromptEncoder encoder(model, at::kFloat, at::kCPU, false, test::made_up_tokenizer);
  TextEncoders models;
  for (const TextEncoderConfig& config : model.text_encoders) {
    const auto source = test::synthetic(config.component, at::kFloat, at::kCPU);
    models.push_back(
        test::made_up_text_encoder(config, family_of(model.pipeline), Weights(*source)));
  }
  const auto encoded = [&](const char* prompt, GraphedTexts* graphed) {
    return encoder.encode(models, {prompt}, std::nullopt, 5, 48, 32, 0, graphed);
  };
  std::string log;
  GraphedTexts graphed(std::make_unique<ReplayedWork>(log));
  std::vector<at::Tensor> contexts;
  for (const char* prompt : {"a lake", "a house", "a prompt of more than 11 bytes"}) {
    const Conditioning replayed = encoded(prompt, &graphed);
    const Conditioning direct = encoded(prompt, nullptr);
    CHECK(at::equal(replayed.context, direct.context));
    CHECK(at::equal(replayed.pooled, direct.pooled));
    CHECK(direct.context.sizes() == at::IntArrayRef({1, test::kMadeUpTokens, kTextWidth}));
    CHECK(direct.pooled.sizes() == at::IntArrayRef({1, kChannels}));
    contexts.push_back(direct.context);
    graphed.end_run();
  }
  CHECK_FALSE(at::equal(contexts[0], contexts[1]));
  CHECK(log == "wcrr");
  CHECK(encoder.notes({"11 bytes of"}, std::nullopt).empty());
  CHECK(encoder.notes({"13 bytes of it"}, std::nullopt) ==
        std::vector<std::string>{"the prompt has more than the 11 tokens that the text encoder "
                                 "takes: 3 are cut off"});
}

TEST_CASE("its loop is recorded as one graph, anew for another size and guidance") {
  const c10::InferenceMode inference;
  const MadeUpDenoiser denoiser;
  const DenoisingLoop loop = loop_of(denoiser, 2, 5.0);
  const DenoisingLoop weaker = loop_of(denoiser, 2, 2.0);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  CHECK(heard_in_run(graphed, loop, inputs_of(loop, 0)) == "ssd");
  CHECK(heard_in_run(graphed, loop, inputs_of(loop, 1)) == "mmd");
  CHECK(heard_in_run(graphed, loop, inputs_of(loop, 2, 8)) == "ssd");
  CHECK(heard_in_run(graphed, loop, inputs_of(loop, 3, 8)) == "mmd");
  CHECK(heard_in_run(graphed, weaker, inputs_of(weaker, 4, 8)) == "ssd");
  CHECK(heard_in_run(graphed, weaker, inputs_of(weaker, 5, 8)) == "mmd");
  CHECK(log == "wcrwcrwcr");
}

TEST_CASE("a pipeline is given the denoiser, and its golden check compares what the two compute") {
  const c10::InferenceMode inference;
  const StableDiffusion pipeline = made_up_pipeline();
  const at::Tensor noise = pipeline.initial_noise(7, 1, 48, 32);
  CHECK(noise.sizes() == at::IntArrayRef({1, kChannels, 4, 6}));

  const MadeUpDenoiser denoiser(
      text_weight(Weights(*test::synthetic(Component::kUNet, at::kFloat, at::kCPU))));
  const DenoisingLoop loop(denoiser,
                           sampler_maker(kUsualSampler.name)(test::made_up_model().scheduler, 3),
                           {.guidance = 5});
  DenoisingInputs inputs;
  inputs.conditioning = pipeline.encode({"a lake"}, std::nullopt, 5, 48, 32);
  inputs.timesteps = at::tensor(loop.sampler().schedule().timesteps, at::kFloat);
  inputs.latents = loop.sampler().begin(noise);
  const at::Tensor latents = in_turn(denoiser, loop, inputs);
  const at::Tensor pixels = pipeline.decode(latents).clamp(0, 1);
  CHECK(pixels.sizes() == at::IntArrayRef({1, 3, 32, 48}));

  const test::ScratchFolder scratch;
  const std::map<std::string, at::Tensor> golden{
      {"noise", noise}, {"latents", latents}, {"pixels", pixels}};
  write_golden(scratch.path(), golden, "5");
  const GoldenResult result = check_golden(pipeline, {}, scratch.path());
  CAPTURE(result.message);
  CHECK(result.check == "pass");
  write_golden(scratch.path(), golden, "1.5");
  CHECK(check_golden(pipeline, {}, scratch.path()).message.starts_with("latents differ by"));
}

TEST_CASE("a cell's run with it gives what a record is made of") {
  const StableDiffusion pipeline = made_up_pipeline();
  const Cell cell = test::made_up_cell();
  CHECK(unet_batch(cell) == 2); // there is no second half
  const auto clock = make_device_clock(at::kCPU);
  ImageWork run(pipeline, cell, *clock, {});
  RunOutput output;
  const RunSample sample = run.run([](std::int64_t, double) {}, output);
  CHECK(output.check == "pass");
  CHECK(output.latents.sizes() == at::IntArrayRef({2, kChannels, 8, 8}));
  CHECK(output.pixels.sizes() == at::IntArrayRef({2, 64, 64, 3}));
  CHECK(sample.step_s.size() == static_cast<std::size_t>(cell.steps));
  for (const char* part : {"text", "unet", "vae"}) {
    CHECK(seconds_of(sample, part).value_or(0) > 0);
  }
}
