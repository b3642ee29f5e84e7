#include "catch.h"

#include <memory>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "loop_runs.h"
#include "replayed_work.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/engine/pipeline/denoising_loop.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_once.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"

using namespace sdbench;
using test::LoopFixture;

namespace {

/// A result that is no tensor, but has one.
struct Doubled {
  at::Tensor tensor;
};
using GraphedDoubled = GraphedOnce<Doubled>;

Doubled doubled(const GraphedCall::Tensors& inputs) {
  return {inputs.at(0) * 2};
}

double answer(GraphedDoubled& graphed, double value, std::int64_t count = 2,
              const GraphedDoubled::Numbers& numbers = {}) {
  return graphed(numbers, {at::full({count}, value)}, doubled).tensor[0].item<double>();
}

} // namespace

TEST_CASE("what a run computes once is recorded when the first run has ended, then replayed") {
  std::string log;
  GraphedDoubled graphed(std::make_unique<ReplayedWork>(log));
  graphed.end_run(); // of a run that did not come to it
  CHECK(log.empty());
  CHECK(answer(graphed, 1) == 2);
  CHECK(log == "w");
  CHECK_FALSE(graphed.why_not_recorded().empty());
  graphed.end_run();
  CHECK(log == "wc");
  CHECK(graphed.why_not_recorded().empty());
  for (const double value : {3, 4}) {
    CHECK(answer(graphed, value) == 2 * value);
    graphed.end_run();
  }
  CHECK(log == "wcrr");
}

TEST_CASE("another shape or constant of what is computed once is recorded anew") {
  std::string log;
  GraphedDoubled graphed(std::make_unique<ReplayedWork>(log));
  CHECK(answer(graphed, 1, 2, {5}) == 2);
  graphed.end_run();
  CHECK(answer(graphed, 2, 3, {5}) == 4); // shape
  graphed.end_run();
  CHECK(answer(graphed, 3, 3, {6}) == 6); // constant
  graphed.end_run();
  CHECK(answer(graphed, 4, 3, {6}) == 8);
  CHECK(log == "wcwcwcr");
}

TEST_CASE("what is computed once and cannot be recorded is computed in each run, and says why") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log, "out of memory\nbehind it a trace");
  maker->upload_refusal = "never asked";
  GraphedDoubled graphed(std::move(maker));
  for (const double value : {1, 2, 3}) {
    CHECK(answer(graphed, value) == 2 * value);
    graphed.end_run();
    CHECK(graphed.why_not_recorded() == "out of memory");
  }
  CHECK(log == "wc"); // tried once
  CHECK(graphed.why_not_uploaded().empty());
}

TEST_CASE("a recording that fails keeps none of its tensors") {
  struct Counted {
    std::shared_ptr<int> alive;
  };
  std::weak_ptr<int> seen;
  std::string log;
  GraphedOnce<Counted> graphed(std::make_unique<ReplayedWork>(log, "no such luck"));
  const auto work = [&](const GraphedCall::Tensors&) {
    Counted made{std::make_shared<int>(1)};
    seen = made.alive;
    return made;
  };
  static_cast<void>(graphed({}, {at::ones({2})}, work));
  CHECK_FALSE(seen.expired());
  graphed.end_run();
  CHECK(seen.expired());
}

TEST_CASE("keys, values and times of a run's steps are replayed into the same latents",
          "[not_sanitized]") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const bool caches : {false, true}) {
      CAPTURE(model, caches);
      const LoopFixture fixture(model);
      std::string calls;
      std::string preparations;
      GraphedCall graphed(std::make_unique<ReplayedWork>(calls));
      GraphedPreparation preparation(std::make_unique<ReplayedWork>(preparations));
      PipelineObserver nobody;
      const auto check_run = [&](const DenoisingLoop& loop, const DenoisingInputs& inputs) {
        const at::Tensor wanted = loop(inputs, nobody);
        CHECK(at::equal(loop(inputs, nobody, {&graphed, &preparation}), wanted));
      };
      const DenoisingLoop loop = fixture.loop(3, 5.0, false, caches);
      for (int run = 0; run < 3; ++run) {
        check_run(loop, fixture.inputs(loop, run));
      }
      CHECK(preparations == "wcrr");
      CHECK(calls == "wwwcrrrrrr");
      // As many texts for two images without guidance: the prefix is shared no longer.
      DenoisingInputs two = fixture.inputs(loop, 3);
      two.conditioning.guided = false;
      two.latents = at::cat({two.latents, two.latents * 0.5});
      check_run(loop, two);
      check_run(loop, two);
      CHECK(preparations == "wcrrwcr");
      const DenoisingLoop longer = fixture.loop(4, 5.0, false, caches);
      check_run(longer, fixture.inputs(longer, 4));
      check_run(longer, fixture.inputs(longer, 5));
      CHECK(preparations == "wcrrwcrwcr");
    }
  }
}

TEST_CASE("a run after one that was cut short has its own text, in the same tensor") {
  /// Keeps the text where a recorded preparation would: always at the same place.
  struct OnePlace final : Denoiser {
    struct Run final : DenoiserRun {
      explicit Run(at::Tensor tensor) : text(std::move(tensor)) {}
      Tensors kept() const override { return {text}; }
      Tensors moment(std::int64_t) const override { return {}; }
      at::Tensor call(const at::Tensor& sample, const Tensors& kept,
                      const Tensors&) const override {
        return sample * kept[0];
      }
      at::Tensor text;
    };
    std::shared_ptr<const DenoiserRun> prepare(const Conditioning& conditioning, const at::Tensor&,
                                               at::IntArrayRef,
                                               const DenoisingOptions&) const override {
      place.copy_(conditioning.context);
      return std::make_shared<Run>(place);
    }
    at::Tensor place = at::zeros({1});
  };
  struct Stop {};
  struct Cutter final : PipelineObserver {
    void on_step_done(std::int64_t) override { throw Stop{}; }
  };
  const OnePlace denoiser;
  const DenoisingLoop loop(denoiser, sampler_maker(kUsualSampler.name)(SchedulerConfig{}, 2), {});
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  const auto run = [&](double text, PipelineObserver& observer, const RunGraphs& graphs) {
    DenoisingInputs inputs;
    inputs.conditioning.context = at::full({1}, text);
    inputs.latents = at::ones({1, 4, 8, 8});
    return loop(inputs, observer, graphs);
  };
  PipelineObserver nobody;
  Cutter cutter;
  static_cast<void>(run(0.1, nobody, {&graphed, nullptr}));
  CHECK_THROWS_AS(run(0.2, cutter, {&graphed, nullptr}), Stop);
  CHECK(at::equal(run(0.3, nobody, {&graphed, nullptr}), run(0.3, nobody, {})));
}

TEST_CASE("a preparation that cannot be recorded leaves the steps their graph") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  std::string calls;
  std::string preparations;
  GraphedCall graphed(std::make_unique<ReplayedWork>(calls));
  GraphedPreparation preparation(std::make_unique<ReplayedWork>(preparations, "no such luck"));
  const DenoisingLoop loop = fixture.loop(2, 5.0, false, true);
  PipelineObserver nobody;
  for (int run = 0; run < 2; ++run) {
    const DenoisingInputs inputs = fixture.inputs(loop, run);
    CHECK(at::equal(loop(inputs, nobody, {&graphed, &preparation}), loop(inputs, nobody)));
  }
  CHECK(calls == "wwwcrr");
  CHECK(preparations == "wc");
  CHECK(preparation.why_not_recorded() == "no such luck");
}
