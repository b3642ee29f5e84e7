// A sampler is its class and a row: what a new one may need goes through the loop and its graphs.
#include "sdbench/engine/pipeline/diffusion_sampler.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/InferenceMode.h>

#include "catch.h"
#include "host_gpu.h"
#include "loop_runs.h"
#include "replayed_work.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/denoising_step.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/noise_schedule.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "tiny_pipeline.h"

using namespace sdbench;
using test::heard_in_run;
using test::LoopFixture;

namespace {

/// Each step but the last is called twice.
NoiseSchedule called_twice(const NoiseSchedule& plain) {
  NoiseSchedule schedule;
  for (std::size_t i = 0; i < plain.timesteps.size(); ++i) {
    for (int call = 0; call < (i + 1 < plain.timesteps.size() ? 2 : 1); ++call) {
      schedule.timesteps.push_back(plain.timesteps[i]);
      schedule.sigmas.push_back(plain.sigmas[i]);
    }
  }
  schedule.sigmas.push_back(0);
  return schedule;
}

/// With all that no sampler of ours needs: two calls a step, the first's output and what it began
/// with kept for the second, noise behind each pair, an input scale of its own.
class MadeUpSampler final : public DiffusionSampler {
public:
  MadeUpSampler(const SchedulerConfig& config, std::int64_t steps)
      : DiffusionSampler("made-up", called_twice(make_noise_schedule(config, steps))) {}

  std::int64_t noise_count() const override { return step_count() / 2; }
  at::Tensor begin(const at::Tensor& noise) const override { return noise * 0.5; }
  at::Tensor model_input(const at::Tensor& latents, std::int64_t step) const override {
    return latents * (1 + 0.25 * static_cast<double>(step));
  }
  at::Tensor step(const at::Tensor& output, const at::Tensor& latents, std::int64_t step,
                  SamplerRun& run) const override {
    if (step % 2 == 0) {
      CHECK(run.history.empty());
      if (step + 1 < step_count()) {
        run.history = {output.clone(), latents};
      }
      return latents - 0.1 * output;
    }
    REQUIRE(run.history.size() == 2);
    const std::vector<at::Tensor> kept = std::exchange(run.history, {});
    return kept[1] - 0.05 * (kept[0] + output) + 0.01 * run.noise[step / 2];
  }
};

template <class Kind>
std::shared_ptr<const DiffusionSampler> make(const SchedulerConfig& config, std::int64_t steps) {
  return std::make_shared<const Kind>(config, steps);
}

/// What each step gave.
struct StepTensors final : PipelineObserver {
  bool wants_step_tensors() const override { return true; }
  void on_step_tensors(std::int64_t, const at::Tensor& output, const at::Tensor& latents) override {
    outputs.push_back(output.clone());
    results.push_back(latents.clone());
  }
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> results;
};

at::Tensor guided(const at::Tensor& output, double scale) {
  return output[0] + scale * (output[1] - output[0]);
}

} // namespace

TEST_CASE("each sampler has a name and a maker of its own, and a scheduler class of diffusers") {
  std::set<std::string_view> names;
  for (const SamplerRow& row : kSamplers) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    const auto sampler = sampler_maker(row.name)(SchedulerConfig{}, 4);
    CHECK(sampler->name() == row.name);
    CHECK(sampler->step_count() <= 4 * row.calls_per_step);
    CHECK(row.scheduler_class.ends_with("Scheduler"));
  }
  CHECK_THROWS_AS(sampler_maker("made-up"), Error);
}

TEST_CASE("a sampler's input scale, history, noise and second calls go through the loop") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(3, 5.0, false, false, make<MadeUpSampler>);
  REQUIRE(loop.sampler().step_count() == 5);
  const DenoisingInputs inputs = fixture.inputs(loop, 0);
  StepTensors seen;
  const at::Tensor result = loop(inputs, seen);
  REQUIRE(seen.outputs.size() == 5);
  CHECK(at::equal(result, seen.results.back()));

  const auto prepared = fixture.unet.prepare(inputs.conditioning, inputs.timesteps,
                                             inputs.latents.sizes(), loop.options());
  const auto output_of = [&](const at::Tensor& latents, std::int64_t step) {
    const at::Tensor sample = latents * (1 + 0.25 * static_cast<double>(step));
    return prepared->call(sample, prepared->kept(), prepared->moment(step));
  };
  at::Tensor latents = inputs.latents;
  for (std::int64_t pair = 0; pair < 2; ++pair) {
    CAPTURE(pair);
    const at::Tensor first = guided(output_of(latents, 2 * pair), 5.0);
    const at::Tensor tried = latents - 0.1 * first;
    CHECK(at::allclose(seen.results[2 * pair], tried, 1e-5, 1e-5));
    const at::Tensor second = guided(output_of(tried, 2 * pair + 1), 5.0);
    latents = latents - 0.05 * (first + second) + 0.01 * inputs.noise[pair];
    CHECK(at::allclose(seen.results[2 * pair + 1], latents, 1e-5, 1e-5));
  }
  latents = latents - 0.1 * guided(output_of(latents, 4), 5.0);
  CHECK(at::allclose(result, latents, 1e-5, 1e-5));
}

TEST_CASE(
    "a sampler with history and noise is recorded as one graph, and replayed with other noise",
    "[not_sanitized]") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(model);
    const LoopFixture fixture(model);
    const DenoisingLoop loop = fixture.loop(3, 5.0, false, true, make<MadeUpSampler>);
    std::string log;
    GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
    CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 0)) == "sssssd");
    for (int run = 1; run < 3; ++run) {
      CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, run)) == "mmmmmd");
    }
    DenoisingInputs inputs = fixture.inputs(loop, 2);
    inputs.noise = inputs.noise + 1;
    CHECK(heard_in_run(graphed, loop, inputs) == "mmmmmd");
    CHECK(log == "wcrrr");
  }
}

TEST_CASE("graphs of the UNet's calls alone leave history and noise to the steps between them") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(3, 5.0, false, true, make<MadeUpSampler>);
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  PipelineObserver nobody;
  for (int run = 0; run < 2; ++run) {
    const DenoisingInputs inputs = fixture.inputs(loop, run);
    CHECK(at::equal(loop(inputs, nobody, {.calls = &graphed}), loop(inputs, nobody)));
  }
  CHECK(log == "wwwcrrrrrrr");
}

TEST_CASE("another sampler with the same noise levels is recorded anew") {
  struct EulerWithAnotherName final : DiffusionSampler {
    EulerWithAnotherName(const SchedulerConfig& config, std::int64_t steps)
        : DiffusionSampler("another", make_noise_schedule(config, steps)) {}
    at::Tensor begin(const at::Tensor& noise) const override { return noise; }
    at::Tensor model_input(const at::Tensor& latents, std::int64_t) const override {
      return latents;
    }
    at::Tensor step(const at::Tensor& output, const at::Tensor& latents, std::int64_t,
                    SamplerRun&) const override {
      return latents - 0.1 * output;
    }
  };
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop usual = fixture.loop(2, 5.0, false, true);
  const DenoisingLoop other = fixture.loop(2, 5.0, false, true, make<EulerWithAnotherName>);
  REQUIRE(usual.sampler().schedule().sigmas == other.sampler().schedule().sigmas);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  CHECK(heard_in_run(graphed, usual, fixture.inputs(usual, 0)) == "ssd");
  CHECK(heard_in_run(graphed, usual, fixture.inputs(usual, 1)) == "mmd");
  CHECK(heard_in_run(graphed, other, fixture.inputs(other, 1)) == "ssd");
  CHECK(heard_in_run(graphed, other, fixture.inputs(other, 2)) == "mmd");
  CHECK(log == "wcrwcr");
}

TEST_CASE("a step that is not linear is ATen's where a GPU has kernels, too") {
  const MadeUpSampler sampler(SchedulerConfig{}, 2);
  const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
  const DenoisingStep step(sampler, {false, 1},
                           std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
  const at::Tensor latents = at::randn({1, 4, 8, 8});
  const at::Tensor output = at::randn({1, 4, 8, 8});
  SamplerRun run;
  const auto [next, input] = step(output, latents, 0, run);
  CHECK(at::equal(next, latents - 0.1 * output));
  CHECK(at::equal(input, next * 1.25));
  CHECK(run.history.size() == 2);
  CHECK(launcher->launched.empty());
}

TEST_CASE("the noise of steps is drawn behind each image's initial noise, by its own generator") {
  struct NoiseAlone final : DiffusionSampler {
    NoiseAlone(const SchedulerConfig& config, std::int64_t steps)
        : DiffusionSampler("noise", make_noise_schedule(config, steps)) {}
    std::int64_t noise_count() const override { return step_count(); }
    at::Tensor begin(const at::Tensor& noise) const override { return noise; }
    at::Tensor model_input(const at::Tensor& latents, std::int64_t) const override {
      return latents;
    }
    at::Tensor step(const at::Tensor&, const at::Tensor&, std::int64_t step,
                    SamplerRun& run) const override {
      return run.noise[step];
    }
  };
  const StableDiffusion pipeline = test::tiny_pipeline("tiny-sd15");
  const DenoiseOptions options{
      .steps = 3, .guidance = 1, .sampler = make<NoiseAlone>, .first_seed = 7};
  CHECK(pipeline.unet_calls(options) == 3);
  StepTensors seen;
  const at::Tensor noise = pipeline.initial_noise(7, 2, 64, 64);
  static_cast<void>(
      pipeline.denoise(noise, pipeline.encode({"a", "b"}, {}, 1, 64, 64), options, seen));
  for (const std::int64_t image : {0, 1}) {
    const at::Generator generator =
        at::detail::createCPUGenerator(static_cast<std::uint64_t>(7 + image));
    const auto draw = [&] { return at::randn({1, 4, 8, 8}, generator)[0]; };
    CHECK(at::equal(noise[image], draw()));
    for (const at::Tensor& latents : seen.results) {
      CHECK(at::equal(latents[image], draw()));
    }
  }
}

TEST_CASE("a pipeline has as many calls of the UNet as its sampler") {
  const StableDiffusion pipeline = test::tiny_pipeline("tiny-sd15");
  const DenoiseOptions options{.steps = 3, .guidance = 5, .sampler = make<MadeUpSampler>};
  CHECK(pipeline.unet_calls(options) == 5);
  const auto latents_of = [&](std::vector<std::string> prompts) {
    StepTensors seen;
    const auto count = static_cast<std::int64_t>(prompts.size());
    static_cast<void>(pipeline.denoise(pipeline.initial_noise(0, count, 64, 64),
                                       pipeline.encode(prompts, {}, 5, 64, 64), options, seen));
    CHECK(seen.results.size() == 5);
    return seen.results.back();
  };
  CHECK(at::allclose(latents_of({"a", "b"})[0], latents_of({"a"})[0], 1e-3, 1e-3));
}
