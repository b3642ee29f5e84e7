#include "catch.h"

#include <filesystem>

#include <ATen/ATen.h>

#include "cell_ears.h"
#include "scratch_folder.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/worker/latents_file.h"
#include "tiny_cell.h"

using namespace sdbench;
using test::contains;
using test::Ears;
using test::run;
using test::tiny_cell;
namespace fs = std::filesystem;

TEST_CASE("an image of a batch is the image that its seed gives alone") {
  const test::ScratchFolder folder;
  Cell cell = tiny_cell();
  cell.images = 2;
  cell.dump_latents = folder.path() / "both.safetensors";
  Ears ears;
  REQUIRE(run(cell, ears).status == Status::kOk);
  Cell alone = cell;
  alone.images = 1;
  alone.seed = cell.seed + 1;
  alone.dump_latents = folder.path() / "alone.safetensors";
  REQUIRE(run(alone, ears).status == Status::kOk);
  const at::Tensor both = read_latents(cell.dump_latents, {2, 4, 8, 8});
  const at::Tensor one = read_latents(alone.dump_latents, {1, 4, 8, 8});
  CHECK(both[1].equal(one[0]));
  CHECK_FALSE(both[0].equal(one[0]));
}

TEST_CASE("given noise is used, and refused in another shape") {
  const test::ScratchFolder folder;
  Cell cell = tiny_cell();
  cell.dump_latents = folder.path() / "seed.safetensors";
  Ears ears;
  REQUIRE(run(cell, ears).status == Status::kOk);
  const at::Tensor of_seed = read_latents(cell.dump_latents, {1, 4, 8, 8});

  Cell given = cell;
  given.init_latents = cell.dump_latents;
  given.dump_latents = folder.path() / "given.safetensors";
  REQUIRE(run(given, ears).status == Status::kOk);
  CHECK_FALSE(read_latents(given.dump_latents, {1, 4, 8, 8}).equal(of_seed));

  given.images = 2;
  const CellOutcome outcome = run(given, ears);
  CHECK(outcome.status == Status::kError);
  CHECK(outcome.stage == CellStage::kLoad);
  CHECK(contains(outcome.message, "[1, 4, 8, 8]"));
  CHECK(contains(outcome.message, "[2, 4, 8, 8]"));
}

TEST_CASE("images are written as files of their own, named by seed") {
  const test::ScratchFolder folder;
  Cell cell = tiny_cell();
  cell.images = 2;
  cell.seed = 5;
  cell.repeat = 1;
  cell.save_images = folder.path();
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  REQUIRE(outcome.result->image_files.size() == 2);
  CHECK(fs::path(outcome.result->image_files[0]).filename() == "tiny-sd15-64x64-2steps-seed5.png");
  CHECK(fs::file_size(outcome.result->image_files[1]) > 100);
}

TEST_CASE("a large image is decoded in tiles where that was asked for") {
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  cell.steps = 1;
  cell.width = 264;
  cell.vae_tiling = "on";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->vae_tiles == 3);
  CHECK(ears.notes.empty());
}
