#include "catch.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "cell_ears.h"
#include "scratch_folder.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/worker/latents_file.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;
using test::contains;
using test::Ears;
using test::run;
using test::tiny_cell;

namespace {

void check_sample(const RunSample& sample, std::size_t steps) {
  REQUIRE(sample.step_s.size() == steps);
  double sum = 0;
  for (const double step : sample.step_s) {
    CHECK(step > 0);
    sum += step;
  }
  const double text_s = seconds_of(sample, "text").value();
  const double unet_s = seconds_of(sample, "unet").value();
  const double vae_s = seconds_of(sample, "vae").value();
  CHECK(unet_s >= sum * 0.999999); // two sums of the same marks
  CHECK(text_s > 0);
  CHECK(vae_s > 0);
  CHECK(sample.e2e_s >= text_s + unet_s + vae_s);
}

} // namespace

TEST_CASE("a cell goes through all stages and every image is timed") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    Cell cell = tiny_cell(model);
    cell.batch = 2;
    cell.images = 4;
    Ears ears;
    const CellOutcome outcome = run(cell, ears);
    INFO(outcome.message);
    REQUIRE(outcome.status == Status::kOk);
    REQUIRE(outcome.result.has_value());
    const CellResult& result = *outcome.result;
    CHECK(result.device.kind == DeviceKind::kCpu);
    CHECK(result.engine == "tuned");
    CHECK(result.use.memory_format == "channels-last");
    CHECK(result.use.packed_weights != "off");
    CHECK(result.dtype_unet == Dtype::kF32);
    CHECK(result.threads == 2);
    CHECK(result.unet_calls == 2);
    CHECK(result.weights_identity == "synthetic:0");
    CHECK(result.output_check == "pass");
    CHECK(result.warmup == 1);
    CHECK(result.load_s > 0);
    CHECK(result.peak_host_bytes > 10'000'000);
    CHECK_FALSE(result.peak_device_used_bytes.has_value());
    REQUIRE(result.samples.size() == 2);
    check_sample(result.first_image, 4); // 2 steps of 2 batches
    check_sample(result.samples[0], 4);
    check_sample(result.samples[1], 4);
    CHECK(ears.stages ==
          std::vector<std::string>{"load", "first_image", "warmup", "measure", "golden", "save"});
    CHECK(ears.loaded == 1);
    CHECK(ears.first_images == 1);
    CHECK(ears.samples == 2);
    CHECK(ears.steps == 3 * 4 + 2); // three runs of both batches, one warm-up batch
    CHECK(ears.last_of_steps == 4);
  }
}

TEST_CASE("a cell whose sampler the worker does not know says so in one line") {
  Cell cell = tiny_cell("tiny-sd15");
  cell.sampler = "heun";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kError);
  CHECK(contains(outcome.message, "the sampler must be euler, but is \"heun\""));
}

TEST_CASE("a cell without timed runs makes its images once and dumps each step of them") {
  const test::ScratchFolder folder;
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.steps = 3;
  cell.images = 2;
  cell.repeat = 0;
  cell.warmup = 0;
  cell.dump_run = folder.path() / "run.safetensors";
  cell.dump_latents = folder.path() / "final.safetensors";
  const CellOutcome outcome = executor.run(cell, ears);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->samples.empty());
  CHECK(outcome.result->output_check == "pass");
  const RunDump dump(cell.dump_run);
  CHECK(dump.images() == 2);
  CHECK(dump.steps() == 3);
  CHECK(dump.width() == cell.width);
  const at::Tensor latents = read_latents(cell.dump_latents, {2, 4, 8, 8});
  for (std::int64_t image = 0; image < 2; ++image) {
    const std::span<const float> last = dump.latents(3, image);
    const std::span<const float> before = dump.latents(2, image);
    CHECK(std::ranges::equal(last, std::span(latents[image].data_ptr<float>(), last.size())));
    CHECK_FALSE(std::ranges::equal(last, before));
  }
  CHECK_FALSE(std::ranges::equal(dump.pixels(0), dump.pixels(1)));
}

TEST_CASE("the CPU is the last of the devices, with its memory") {
  const std::vector<DeviceInfo> devices = TorchExecutor().devices();
  REQUIRE_FALSE(devices.empty());
  CHECK(devices.back().kind == DeviceKind::kCpu);
  CHECK_FALSE(devices.back().name.empty());
  CHECK(devices.back().memory_free_bytes > 0);
}

TEST_CASE("each axis of the engine passes the golden check and is recorded") {
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  SECTION("channels-last") {
    cell.memory_format = "channels-last";
  }
  SECTION("contiguous, which no kernel of a CPU takes") {
    cell.memory_format = "contiguous";
    cell.packed_weights = "off";
  }
  SECTION("offload") {
    cell.offload = "stages";
  }
  SECTION("autocast") {
    cell.dtype = Precision(Dtype::kBF16, true);
  }
  SECTION("nothing computed before the first step") {
    cell.kv_cache = cell.time_cache = cell.shared_prefix = "off";
  }
  SECTION("all at once, with what changes nothing on a CPU") {
    cell.graphs = "on";
    cell.kernels = "own";
    cell.memory_format = "channels-last";
    cell.offload = "stages";
    cell.dtype = Precision(Dtype::kBF16, true);
    cell.tf32 = "on";
    cell.vae_tiling = cell.cudnn_benchmark = "on";
  }
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->golden_check == "pass");
  CHECK(outcome.result->dtype_unet == cell.dtype);
  CHECK(outcome.result->use.tf32 == "off");
  CHECK(outcome.result->use.kv_cache == (cell.kv_cache == "auto" ? "on" : "off"));
  CHECK(outcome.result->use.time_cache == (cell.time_cache == "auto" ? "on" : "off"));
  CHECK(outcome.result->use.shared_prefix == (cell.shared_prefix == "auto" ? "on" : "off"));
  check_sample(outcome.result->samples.at(0), 2);
  const auto changes_nothing = [](const std::string& note) {
    return contains(note, "changes nothing here");
  };
  CHECK(
      std::count_if(ears.notes.begin(), ears.notes.end(), changes_nothing) ==
      (cell.vae_tiling == "on" ? 5 : 0)); // TF32, cuDNN, one tile, graphs, kernels (under autocast)
  const bool has_own = !(cell.dtype && cell.dtype->autocast) &&
                       cell.memory_format != "contiguous" && cpu_instructions(at::kFloat);
  CHECK(outcome.result->use.kernels == (has_own ? "own" : "aten"));
  CHECK(outcome.result->use.graphs == "off");
  CHECK(outcome.result->use.graphs_obstacle ==
        (cell.vae_tiling == "on" ? "graphs are for a GPU" : ""));
}

TEST_CASE("half precision runs on a CPU, with a warning for fp16 and no fp16 in SDXL's VAE") {
  Cell cell = tiny_cell("tiny-sdxl");
  cell.repeat = 1;
  cell.warmup = 0;
  cell.steps = 1;
  cell.dtype = Dtype::kBF16;
  Ears ears;
  CHECK(run(cell, ears).status == Status::kOk);
  cell.dtype = Dtype::kF16;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  CHECK(outcome.status == Status::kOk);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->dtype_unet == Dtype::kF16);
  CHECK(outcome.result->dtype_vae != Dtype::kF16);
  REQUIRE_FALSE(ears.notes.empty());
  CHECK(std::any_of(ears.notes.begin(), ears.notes.end(),
                    [](const std::string& note) { return contains(note, "fp16 on a CPU"); }));
}

TEST_CASE("an empty prompt and one that is too long are run, with a note each") {
  Cell cell = tiny_cell();
  cell.repeat = 1;
  cell.warmup = 0;
  cell.prompts = {""};
  cell.negative_prompt = "";
  Ears empty;
  CHECK(run(cell, empty).status == Status::kOk);
  CHECK(empty.notes == std::vector<std::string>{"the prompt is empty: it is encoded as it is"});

  std::string words;
  for (int i = 0; i < 10'000; ++i) {
    words += "lake ";
  }
  cell.prompts = {"a lake", words};
  cell.images = 2;
  cell.negative_prompt = words;
  Ears too_long;
  CHECK(run(cell, too_long).status == Status::kOk);
  CHECK(too_long.notes ==
        std::vector<std::string>{"1 of 2 prompts have more than the 75 tokens that the text "
                                 "encoder takes: 9925 are cut off",
                                 "the negative prompt has more than the 75 tokens that the text "
                                 "encoder takes: 9925 are cut off"});
}
