#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/unet_denoiser.h"

namespace sdbench::test {

/// A UNet on the CPU and loops of it.
struct LoopFixture {
  explicit LoopFixture(const std::string& name)
      : config(find_model_config(name)), source(0, "unet", at::kFloat, at::kCPU),
        unet(Weights(source), unet_of(config), Attention::kAuto) {}

  [[nodiscard]] DenoisingLoop
  loop(std::int64_t steps, double guidance, bool karras, bool caches,
       SamplerMaker make_sampler = sampler_maker(kUsualSampler.name)) const {
    SchedulerConfig scheduler = config.scheduler;
    scheduler.use_karras_sigmas = karras;
    return {
        unet,
        make_sampler(scheduler, steps),
        {.guidance = guidance, .kv_cache = caches, .time_cache = caches, .shared_prefix = caches}};
  }

  /// With values of their own for each `seed`.
  [[nodiscard]] DenoisingInputs inputs(const DenoisingLoop& loop, int seed,
                                       std::int64_t side = 8) const {
    at::manual_seed(static_cast<std::uint64_t>(seed));
    DenoisingInputs inputs;
    inputs.conditioning.context = at::randn({2, 77, unet_of(config).cross_attention_dims[0]});
    inputs.conditioning.guided = true;
    if (const auto width = unet_of(config).projection_class_embeddings_input_dim) {
      inputs.conditioning.pooled =
          at::randn({2, *width - 6 * unet_of(config).addition_time_embed_dim.value()});
      inputs.conditioning.time_ids = at::full({1, 6}, 8.0 * seed).expand({2, 6});
    }
    inputs.timesteps = at::tensor(loop.sampler().schedule().timesteps, at::kFloat);
    inputs.latents = at::randn({1, unet_of(config).in_channels, side, side}) * 10;
    if (const std::int64_t draws = loop.sampler().noise_count(); draws > 0) {
      inputs.noise = at::randn({draws, 1, unet_of(config).in_channels, side, side});
    }
    return inputs;
  }

  ModelConfig config;
  SyntheticSource source;
  UNetDenoiser unet;
};

/// What happened, in order: "t" for a step's tensors, "s" for a step, "m" for a step's mark, "d" at
/// the end.
struct LoopEars final : PipelineObserver {
  explicit LoopEars(bool tensors = false) : tensors_wanted(tensors) {}

  bool wants_step_tensors() const override { return tensors_wanted; }
  void on_step_tensors(std::int64_t, const at::Tensor&, const at::Tensor&) override {
    heard += tensors_wanted ? "t" : "";
  }
  void on_step_done(std::int64_t) override { heard += 's'; }
  void on_step_replayed(std::int64_t step, const std::shared_ptr<const DeviceMark>& mark) override {
    CHECK(step == static_cast<std::int64_t>(marks.size()));
    marks.push_back(mark);
    heard += 'm';
  }
  void on_denoised() override { heard += 'd'; }

  bool tensors_wanted;
  std::string heard;
  std::vector<std::shared_ptr<const DeviceMark>> marks;
};

/// One run by `graphed`, whose latents must be those of the loop alone. What the observer heard.
inline std::string heard_in_run(GraphedLoop& graphed, const DenoisingLoop& loop,
                                const DenoisingInputs& inputs, bool tensors = false) {
  PipelineObserver nobody;
  const at::Tensor wanted = loop(inputs, nobody);
  LoopEars ears(tensors);
  CHECK(at::equal(graphed(loop, inputs, ears), wanted));
  return ears.heard;
}

} // namespace sdbench::test
