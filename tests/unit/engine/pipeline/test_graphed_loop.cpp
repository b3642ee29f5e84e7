#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "loop_runs.h"
#include "replayed_work.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/pipeline/graphed_loop.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"

using namespace sdbench;
using test::heard_in_run;
using test::LoopEars;
using test::LoopFixture;

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

TEST_CASE("another schedule, guidance, number of steps or size is recorded anew",
          "[not_sanitized]") {
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

TEST_CASE("a loop that cannot be uploaded is replayed all the same, and says why") {
  const c10::InferenceMode inference;
  const LoopFixture fixture("tiny-sd15");
  const DenoisingLoop loop = fixture.loop(2, 5.0, false, true);
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log);
  maker->upload_refusal = "no such luck";
  GraphedLoop graphed(std::move(maker));
  CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 0)) == "ssd");
  CHECK(graphed.why_not_uploaded() == "no such luck");
  CHECK(heard_in_run(graphed, loop, fixture.inputs(loop, 1)) == "mmd");
  CHECK(graphed.why_not_recorded().empty());
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
