#include "sdbench/engine/worker/image_files.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>

#include <ATen/ATen.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/image_work.h"
#include "sdbench/engine/worker/layer_sources.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;

namespace {

Cell stepped_cell(const char* model = "tiny-sd15") {
  Cell cell = test::tiny_cell(model);
  cell.width = 72;
  cell.steps = 3;
  cell.images = 4;
  cell.batch = 2;
  cell.warmup = 0;
  cell.repeat = 0;
  return cell;
}

} // namespace

TEST_CASE("an image after a step is decoded as the final one: bit by bit for the last step") {
  const at::ScalarType dtype = GENERATE(at::kFloat, at::kBFloat16);
  const bool other_ways = GENERATE(false, true);
  const char* model = GENERATE("tiny-sd15", "tiny-sdxl");
  CAPTURE(model, other_ways, c10::toString(dtype));
  Cell cell = stepped_cell(model);
  cell.dump_run = "asked for";
  if (other_ways) { // more than one tile
    cell.width = cell.height = 2 * cell.model.vae.sample_size;
  }
  PipelineOptions options;
  options.dtype_text = options.dtype_unet = options.dtype_vae = dtype;
  if (other_ways) {
    options.vae_tiling = true;
    options.offload = Offload::kStages;
    options.memory_format_unet = options.memory_format_vae = at::MemoryFormat::ChannelsLast;
    if (dtype == at::kFloat) {
      options.dtype_unet = options.dtype_vae =
          StageDtype(Precision(Dtype::kBF16, /*with_autocast=*/true));
    }
  }
  const StableDiffusion pipeline(cell.model, make_layer_sources(cell.weights), options);
  const auto clock = make_device_clock(at::kCPU);
  ImageWork run(pipeline, cell, *clock, {});
  RunOutput output;
  (void)run.run([](std::int64_t, double) {}, output);
  REQUIRE(output.step_latents.size() == 3);
  const at::Tensor last = decode_like_final(pipeline, cell, output.step_latents[2], at::kCPU);
  CHECK(last.equal(output.pixels));
  const at::Tensor first = decode_like_final(pipeline, cell, output.step_latents[0], at::kCPU);
  CHECK(first.sizes() == last.sizes());
  CHECK_FALSE(first.equal(last));
}

TEST_CASE("an image after a step that is not finite is none") {
  const Cell cell = stepped_cell();
  const StableDiffusion pipeline(cell.model, make_layer_sources(cell.weights), {});
  at::Tensor latents = at::zeros({4, 4, 8, 9});
  latents[3][0][0][0] = std::numeric_limits<float>::infinity();
  CHECK_FALSE(decode_like_final(pipeline, cell, latents, at::kCPU).defined());
}

TEST_CASE("a cell writes the image after each step but the last, of that step's latents") {
  const test::ScratchFolder folder;
  Cell cell = stepped_cell();
  cell.engine = "plain"; // as the pipeline that says what is wanted
  cell.dump_run = folder.path() / "run.safetensors";
  cell.dump_step_images = true;
  struct : ExecutorObserver {
    void on_event(const CellEvent& event) override {
      if (const auto* const stage = std::get_if<StageEvent>(&event)) {
        stages.emplace_back(name_of(stage->stage));
      } else if (const auto* const step = std::get_if<StepEvent>(&event);
                 step != nullptr && stages.back() == "step_images") {
        CHECK(step->steps == 2);
        CHECK(step->step == decoded++);
        CHECK(step->seconds > 0);
      }
    }
    std::vector<std::string> stages;
    std::int64_t decoded = 0;
  } ears;
  const CellOutcome outcome = TorchExecutor().run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(ears.decoded == 2);
  CHECK(ears.stages.back() == "step_images");
  CHECK(outcome.result->samples.empty());
  CHECK(outcome.result->first_image.step_s.size() == 6); // two batches; no time of a decoded step
  const RunDump dump(cell.dump_run);
  const StableDiffusion pipeline(cell.model, make_layer_sources(cell.weights), {});
  for (std::int64_t step = 1; step <= 3; ++step) {
    const at::Tensor latents = at::empty({4, 4, 8, 9});
    for (std::int64_t image = 0; image < 4; ++image) {
      std::ranges::copy(dump.latents(step, image), latents[image].data_ptr<float>());
    }
    const at::Tensor wanted = decode_like_final(pipeline, cell, latents, at::kCPU);
    for (std::int64_t image = 0; image < 4; ++image) {
      const auto pixels = dump.pixels_after(step, image);
      REQUIRE(pixels.size() == std::size_t{72} * 64 * 3);
      CHECK(std::ranges::equal(pixels,
                               std::span(wanted[image].data_ptr<std::uint8_t>(), pixels.size())));
    }
  }
}

TEST_CASE("a stop among the images after steps leaves those that are written") {
  const test::ScratchFolder folder;
  Cell cell = stepped_cell();
  cell.dump_run = folder.path() / "run.safetensors";
  cell.dump_step_images = true;
  std::atomic<bool> stop{false};
  struct Stopper final : ExecutorObserver {
    explicit Stopper(std::atomic<bool>& flag) : stop(flag) {}
    void on_event(const CellEvent& event) override {
      if (const auto* const stage = std::get_if<StageEvent>(&event)) {
        stop = stage->stage == CellStage::kStepImages;
      }
    }
    std::atomic<bool>& stop;
  } ears(stop);
  const CellOutcome outcome = TorchExecutor(&stop).run(cell, ears);
  CHECK(outcome.status == Status::kInterrupted);
  CHECK(outcome.stage == CellStage::kStepImages);
  const RunDump dump(cell.dump_run);
  CHECK_FALSE(dump.pixels_after(1, 0).empty());
  CHECK(dump.pixels_after(2, 0).empty());
  CHECK_FALSE(dump.pixels_after(3, 0).empty());
}
