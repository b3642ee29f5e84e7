#include "catch.h"

#include <atomic>
#include <cstdint>
#include <filesystem>

#include <ATen/ATen.h>

#include "cell_ears.h"
#include "scratch_folder.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/worker/latents_file.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;
using test::contains;
using test::Ears;
using test::run;
using test::tiny_cell;
namespace fs = std::filesystem;

TEST_CASE("a device that is not there ends the cell before anything is loaded") {
  Cell cell = tiny_cell();
  cell.device = "cuda:77";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kError);
  CHECK(contains(outcome.message, "cuda:77"));
  CHECK_FALSE(outcome.result.has_value());
}

TEST_CASE("training whose loss a CPU does not scale is skipped where the device turns out as one") {
  Cell cell = tiny_cell("tiny-cnn");
  cell.task = Task::kTrain;
  cell.dtype = Precision{Dtype::kF16, true};
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kSkipped);
  CHECK(contains(outcome.message, "; take autocast-bf16, bf16 or fp32"));
  CHECK(ears.loaded == 0);
}

TEST_CASE("a cell that does not fit into memory is refused with both figures before it is loaded") {
  Cell cell = tiny_cell();
  cell.width = cell.height = std::int64_t{1} << 20;
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kOomHost);
  CHECK(outcome.stage == CellStage::kLoad);
  CHECK(contains(outcome.message, "GiB"));
  CHECK(ears.loaded == 0);
}

TEST_CASE("a stop ends the cell as interrupted and keeps what was measured") {
  std::atomic<bool> stop{false};
  Ears ears;
  ears.stop_at_first_sample = &stop;
  const CellOutcome outcome = TorchExecutor(&stop).run(tiny_cell(), ears);
  CHECK(outcome.status == Status::kInterrupted);
  CHECK(outcome.stage == CellStage::kMeasure);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->samples.size() == 1);
}

TEST_CASE("a cell whose time is over within its first image is ok, checked as far as it can be") {
  const test::ScratchFolder folder;
  Cell cell = tiny_cell();
  cell.steps = 20;
  cell.max_time_s = 1e-9;
  cell.dump_latents = folder.path() / "none.safetensors";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  CHECK(outcome.status == Status::kOk);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->stop_reason == "max_time");
  REQUIRE(outcome.result->partial_run.has_value());
  CHECK(outcome.result->partial_run->step_s.size() == 1);
  CHECK(outcome.result->samples.empty());
  CHECK(outcome.result->output_check.empty());
  CHECK(outcome.result->golden_check == "pass");
  CHECK_FALSE(fs::exists(cell.dump_latents));
  REQUIRE_FALSE(ears.notes.empty());
  CHECK(contains(ears.notes.back(), "--max-time"));
}

TEST_CASE("noise that makes the latents infinite is an invalid output") {
  const test::ScratchFolder folder;
  Cell cell = tiny_cell();
  cell.init_latents = folder.path() / "huge.safetensors";
  write_latents(cell.init_latents, at::full({1, 4, 8, 8}, 3e38));
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kInvalidOutput);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->output_check == "non_finite");
  CHECK(outcome.stage == CellStage::kMeasure);
  CHECK_FALSE(contains(outcome.message, "--dtype fp32")); // that is what it ran in
  CHECK(contains(outcome.message, "--init-latents"));
}

TEST_CASE("a cell that ends while loading tells its device") {
  Cell cell = tiny_cell();
  cell.width = cell.height = 16384;
  cell.attention = "math";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kOomHost);
  CHECK_FALSE(outcome.result.has_value());
  REQUIRE(outcome.device.has_value());
  CHECK(outcome.device->kind == DeviceKind::kCpu);
}
