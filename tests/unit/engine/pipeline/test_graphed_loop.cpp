#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "replayed_work.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/weight_source.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/pipeline/euler_discrete.h"
#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"

using namespace sdbench;

namespace {

/// A UNet on the CPU and loops of it.
struct LoopFixture {
  explicit LoopFixture(const std::string& name)
      : config(find_model_config(name)), source(0, "unet", at::kFloat, at::kCPU),
        unet(Weights(source), config.unet, Attention::kAuto) {}

  [[nodiscard]] DenoisingLoop loop(std::int64_t steps, double guidance, bool karras,
                                   bool caches) const {
    SchedulerConfig scheduler = config.scheduler;
    scheduler.use_karras_sigmas = karras;
    return {
        unet,
        EulerDiscrete(scheduler, steps),
        {.guidance = guidance, .kv_cache = caches, .time_cache = caches, .shared_prefix = caches}};
  }

  /// With values of their own for each `seed`.
  [[nodiscard]] DenoisingInputs inputs(const DenoisingLoop& loop, int seed,
                                       std::int64_t side = 8) const {
    at::manual_seed(static_cast<std::uint64_t>(seed));
    DenoisingInputs inputs;
    inputs.conditioning.context = at::randn({2, 77, config.unet.cross_attention_dims[0]});
    inputs.conditioning.guided = true;
    if (const auto width = config.unet.projection_class_embeddings_input_dim) {
      inputs.conditioning.pooled =
          at::randn({2, *width - 6 * config.unet.addition_time_embed_dim.value()});
      inputs.conditioning.time_ids = at::full({1, 6}, 8.0 * seed).expand({2, 6});
    }
    inputs.timesteps = at::tensor(loop.scheduler().schedule().timesteps, at::kFloat);
    inputs.latents = at::randn({1, config.unet.in_channels, side, side}) * 10;
    return inputs;
  }

  ModelConfig config;
  SyntheticSource source;
  UNet2dCondition unet;
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
std::string heard_in_run(GraphedLoop& graphed, const DenoisingLoop& loop,
                         const DenoisingInputs& inputs, bool tensors = false) {
  PipelineObserver nobody;
  const at::Tensor wanted = loop(inputs, nobody);
  LoopEars ears(tensors);
  CHECK(at::equal(graphed(loop, inputs, ears), wanted));
  return ears.heard;
}

} // namespace

TEST_CASE("a loop is computed in the first run, recorded after it and then replayed as one") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const bool caches : {false, true}) {
      CAPTURE(model, caches);
      const LoopFixture fixture(model);
      const DenoisingLoop loop = fixture.loop(3, 5.0, false, caches);
      std::string log;
      GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
      CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 0)) == "sssd");
      CHECK(log == "wc");
      for (int run = 1; run < 4; ++run) {
        CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, run)) == "mmmd");
      }
      CHECK(log == "wcrrr");
      CHECK(graphed.why_not_recorded().empty());
    }
  }
}

TEST_CASE("whoever wants the tensors of steps gets them, whatever is recorded") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(2, 5.0, false, true);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 0), true) == "tstsd");
  CHECK(log == "wc"); // for the next run, which may want none
  CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 1), true) == "tstsd");
  CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 2)) == "mmd");
  CHECK(log == "wcr");
}

TEST_CASE("whoever asks for nothing is replayed to, so that the golden check sees a replay") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(2, 5.0, false, true);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  PipelineObserver nobody;
  for (int run = 0; run < 2; ++run) {
    static_cast<void>(graphed(loop, fixture.inputs(loop, run), nobody));
  }
  CHECK(log == "wcr");
}

TEST_CASE("another schedule, guidance, number of steps or size is recorded anew") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop first = fixture.loop(3, 5.0, false, true);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  CHECK(heard_in_run(graphed, first, fixture.inputs(first, 0)) == "sssd");
  CHECK(heard_in_run(graphed, first, fixture.inputs(first, 1)) == "mmmd");
  log.clear();
  const DenoisingLoop karras = fixture.loop(3, 5.0, true, true);
  const DenoisingLoop guidance = fixture.loop(3, 4.0, false, true);
  const DenoisingLoop fewer = fixture.loop(2, 4.0, false, true);
  CHECK(heard_in_run(graphed, karras, fixture.inputs(karras, 1)) == "sssd");
  CHECK(heard_in_run(graphed, karras, fixture.inputs(karras, 2)) == "mmmd");
  CHECK(heard_in_run(graphed, guidance, fixture.inputs(guidance, 1)) == "sssd");
  CHECK(heard_in_run(graphed, guidance, fixture.inputs(guidance, 2)) == "mmmd");
  CHECK(heard_in_run(graphed, fewer, fixture.inputs(fewer, 1)) == "ssd");
  CHECK(heard_in_run(graphed, fewer, fixture.inputs(fewer, 2)) == "mmd");
  CHECK(heard_in_run(graphed, fewer, fixture.inputs(fewer, 3, 16)) == "ssd");
  CHECK(heard_in_run(graphed, fewer, fixture.inputs(fewer, 4, 16)) == "mmd");
  CHECK(log == "wcrwcrwcrwcr");
}

TEST_CASE("a loop that cannot be recorded is computed step by step in each run, and says why") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(2, 5.0, false, true);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log, "no such luck"));
  for (int run = 0; run < 3; ++run) {
    CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, run)) == "ssd");
    CHECK(graphed.why_not_recorded() == "no such luck");
  }
  CHECK(log == "wc"); // tried once
}

TEST_CASE("the marks of a replay are read by the device's clock, in order between its own") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(3, 5.0, false, true);
  std::string log;
  GraphedLoop graphed(std::make_unique<ReplayedWork>(log));
  LoopEars first;
  static_cast<void>(graphed(loop, fixture.inputs(loop, 0), first));
  const auto clock = make_device_clock(at::kCPU);
  for (int run = 1; run < 3; ++run) {
    LoopEars ears;
    clock->reset();
    clock->mark();
    static_cast<void>(graphed(loop, fixture.inputs(loop, run), ears));
    for (const auto& mark : ears.marks) {
      clock->take(mark);
    }
    clock->mark();
    clock->wait();
    REQUIRE(clock->passed() == 5);
    for (std::size_t mark = 1; mark < 4; ++mark) {
      CHECK(clock->seconds(mark - 1, mark) > 0); // a UNet's call lies between
    }
    CHECK(clock->seconds(3, 4) >= 0);
  }
}
