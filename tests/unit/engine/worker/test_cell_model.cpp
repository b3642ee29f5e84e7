#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "cell_ears.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/worker/latents_file.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;
using test::Ears;
using test::tiny_cell;

TEST_CASE("the time that packing took is no part of the load, and none where nothing was packed") {
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  const CellResult packed = executor.run(cell, ears).result.value();
  REQUIRE(packed.use.packed_weights != "off");
  CHECK(packed.prepare_s > 0);
  CHECK(packed.load_s > 0);
  CHECK(executor.run(cell, ears).result.value().prepare_s == 0); // the model was there already
  cell.packed_weights = "off";
  const CellResult as_they_are = executor.run(cell, ears).result.value();
  REQUIRE(as_they_are.load_s > 0);
  CHECK(as_they_are.prepare_s == 0);
}

TEST_CASE("the model stays for the next cell that needs the same, and gives the same numbers") {
  const test::ScratchFolder folder;
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.dump_latents = folder.path() / "first.safetensors";
  const CellOutcome first = executor.run(cell, ears);
  REQUIRE(first.status == Status::kOk);
  CHECK(first.result->load_s > 0);
  cell.dump_latents = folder.path() / "again.safetensors";
  const CellOutcome again = executor.run(cell, ears);
  REQUIRE(again.status == Status::kOk);
  CHECK(again.result->load_s == 0);
  CHECK(again.result->golden_check == "pass");
  CHECK(again.result->weights_identity == "synthetic:0");
  CHECK(read_latents(folder.path() / "first.safetensors", {1, 4, 8, 8})
            .equal(read_latents(cell.dump_latents, {1, 4, 8, 8})));

  cell.batch = cell.images = 2;
  cell.dump_latents.clear();
  CHECK(executor.run(cell, ears).result->load_s == 0);
  executor.restart();
  CHECK(executor.run(cell, ears).result->load_s > 0);
}

TEST_CASE("what loading depends on is loaded again when it changes") {
  TorchExecutor executor;
  Ears ears;
  const auto is_loaded_for = [&](const Cell& cell) {
    const CellOutcome outcome = executor.run(cell, ears);
    INFO(outcome.message);
    REQUIRE(outcome.status == Status::kOk);
    return outcome.result->load_s > 0;
  };
  Cell cell = tiny_cell();
  CHECK(is_loaded_for(cell));
  cell.steps = 3;
  CHECK_FALSE(is_loaded_for(cell));
  cell.dtype = Dtype::kBF16;
  CHECK(is_loaded_for(cell));
  cell.attention = "math";
  CHECK(is_loaded_for(cell));
  cell.weights.seed = 1;
  CHECK(is_loaded_for(cell));
  cell.model = find_model_config("tiny-sdxl");
  CHECK(is_loaded_for(cell));
  CHECK_FALSE(is_loaded_for(cell));
}

TEST_CASE("a cell's peak of memory is its own, whatever ran before it") {
  TorchExecutor executor;
  Ears ears;
  Cell large = tiny_cell();
  large.width = large.height = 512;
  large.steps = large.repeat = 1;
  Cell small = tiny_cell();
  const std::int64_t large_peak = *executor.run(large, ears).result->peak_host_bytes;
  const std::int64_t small_peak = *executor.run(small, ears).result->peak_host_bytes;
  CHECK(small_peak < large_peak - 20'000'000);
}

TEST_CASE("the model of the cell before is no part of a cell's peak of memory") {
  TorchExecutor executor;
  Ears ears;
  Cell wordy = tiny_cell();
  wordy.weights.seed = 1; // no golden check, for no one has another vocabulary's latents
  wordy.model.text_encoders[0].model.vocab_size *= 32;
  const CellOutcome large = executor.run(wordy, ears);
  REQUIRE(large.status == Status::kOk);
  const CellOutcome small = executor.run(tiny_cell(), ears);
  REQUIRE(small.status == Status::kOk);
  CHECK(*small.result->peak_host_bytes < *large.result->peak_host_bytes - 100'000'000);
}
