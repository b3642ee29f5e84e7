// A denoiser is a value behind one seam: what another family needs goes through loop and graphs.
#include "sdbench/engine/pipeline/denoiser.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "catch.h"
#include "loop_runs.h"
#include "replayed_work.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/engine/pipeline/denoising_loop.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"

using namespace sdbench;
using test::heard_in_run;

namespace {

constexpr std::int64_t kChannels = 16;
constexpr std::int64_t kTextWidth = 24;

/// With all that no UNet has: 16 channels, a text that is no CLIP's beside a pooled one, places of
/// the latents' positions, and guidance as an input, for which there is no second half.
class MadeUpDenoiser final : public Denoiser {
public:
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
  at::Tensor text_weight = at::linspace(-1, 1, kTextWidth* kChannels).view({kTextWidth, -1});
};

DenoisingLoop loop_of(const Denoiser& denoiser, std::int64_t steps, double guidance) {
  return {denoiser,
          sampler_maker(kUsualSampler.name)(SchedulerConfig{}, steps),
          {.guidance = guidance}};
}

/// With values of their own for each `seed`. Two images, neither high as wide nor of 77 tokens.
DenoisingInputs inputs_of(const DenoisingLoop& loop, int seed, std::int64_t width = 6) {
  at::manual_seed(static_cast<std::uint64_t>(seed));
  DenoisingInputs inputs;
  inputs.conditioning.context = at::randn({2, 11, kTextWidth});
  inputs.conditioning.pooled = at::randn({2, kChannels});
  inputs.timesteps = at::tensor(loop.sampler().schedule().timesteps, at::kFloat);
  inputs.latents = at::randn({2, kChannels, 4, width}) * 10;
  return inputs;
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

  const auto prepared = denoiser.prepare(inputs.conditioning, inputs.timesteps,
                                         inputs.latents.sizes(), loop.options());
  at::Tensor latents = inputs.latents;
  SamplerRun run;
  for (std::int64_t step = 0; step < 3; ++step) {
    const at::Tensor output = prepared->call(loop.sampler().model_input(latents, step),
                                             prepared->kept(), prepared->moment(step));
    latents = loop.sampler().step(output, latents, step, run);
  }
  CHECK(at::equal(result, latents));
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
    CHECK(at::equal(loop(inputs, nobody, &graphed), loop(inputs, nobody)));
  }
  CHECK(log == "wwwcrrrrrr");
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
