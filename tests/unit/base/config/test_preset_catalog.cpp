#include "sdbench/base/config/preset_catalog.h"

#include <algorithm>
#include <cstdint>

#include "catch.h"
#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/core/error.h"

using namespace sdbench;

namespace {

std::vector<RunConfig> cells_of_preset(const std::string& name) {
  OptionLayers layers;
  layers.add_file(preset_file(name));
  std::vector<RunConfig> cells;
  for (const RunOptions& options : layers.cells()) {
    cells.push_back(options.cell);
  }
  return cells;
}

} // namespace

TEST_CASE("every preset that comes with sdbench is described and makes cells") {
  std::vector<std::string> names;
  for (const Preset& preset : shipped_presets()) {
    INFO(preset.name);
    names.push_back(preset.name);
    CHECK_FALSE(preset.description.empty());
    CHECK_FALSE(cells_of_preset(preset.name).empty());
  }
  CHECK(names == std::vector<std::string>{"batch-sweep", "cifar-2019", "egpu-2022", "engines",
                                          "lake-house", "onnxruntime-2022", "precision", "quick",
                                          "tensorrt-2023", "throughput-24"});
}

TEST_CASE("an unknown preset is refused with the known ones, the nearest first") {
  CHECK_THROWS_WITH(preset_file("lakehouse"),
                    Catch::Matchers::StartsWith("--preset must be one of lake-house, "));
  CHECK_THROWS_AS(preset_file("../models/sd15"), UsageError);
}

TEST_CASE("lake-house is the published protocol, with both kernels") {
  const std::vector<RunConfig> cells = cells_of_preset("lake-house");
  REQUIRE(cells.size() == 6);
  for (const RunConfig& cell : cells) {
    CHECK(cell.steps == 50);
    CHECK(cell.dtype == "fp16");
    CHECK(cell.images == 1);
    CHECK(cell.prompts == std::vector<std::string>{kDefaultPrompt});
  }
  CHECK(std::ranges::count(cells, "sliced", &RunConfig::attention) == 3);
  CHECK(std::ranges::count(cells, "efficient", &RunConfig::attention) == 3);
  for (const std::int64_t width : {512, 768, 1024}) { // SDXL's default, and what the text says
    CHECK(std::ranges::count(cells, width, &RunConfig::width) == 2);
  }
}

TEST_CASE("throughput-24 has every batch that divides 24 at both sizes") {
  const std::vector<RunConfig> cells = cells_of_preset("throughput-24");
  CHECK(cells.size() == 2 * 8);
  for (const RunConfig& cell : cells) {
    CHECK(cell.images == 24);
    CHECK(cell.repeat == 3);
    CHECK(24 % cell.batch.value() == 0);
  }
}

TEST_CASE("engines has ours and all of others") {
  const std::vector<RunConfig> cells = cells_of_preset("engines");
  const std::vector<std::string>& engines = engine_axes().front().choices;
  CHECK(cells.size() == engines.size());
  for (const std::string& engine : engines) {
    INFO(engine);
    CHECK(std::ranges::count(cells, engine, &RunConfig::engine) == 1);
  }
}

TEST_CASE("tensorrt-2023 has every batch that divides 24 by each of the four ways") {
  const std::vector<RunConfig> cells = cells_of_preset("tensorrt-2023");
  CHECK(cells.size() == 4 * 2 * 8);
  for (const RunConfig& cell : cells) {
    CHECK(cell.images == 24);
    CHECK(24 % cell.batch.value() == 0);
    CHECK((cell.engine == "pytorch") == (cell.attention != "auto"));
  }
}

TEST_CASE("onnxruntime-2022 is both engines on a CPU") {
  const std::vector<RunConfig> cells = cells_of_preset("onnxruntime-2022");
  REQUIRE(cells.size() == 2);
  CHECK(cells.front().engine == "pytorch");
  CHECK(cells.back().engine == "onnxruntime");
  CHECK(std::ranges::count(cells, "cpu", &RunConfig::device) == 2);
}

TEST_CASE("the batches of batch-sweep grow") {
  const std::vector<RunConfig> cells = cells_of_preset("batch-sweep");
  CHECK(std::ranges::is_sorted(cells, {}, &RunConfig::batch));
  CHECK(cells.back().batch == 256);
}

TEST_CASE("precision has each batch in each dtype, and fp32 with each TF32") {
  const std::vector<RunConfig> cells = cells_of_preset("precision");
  CHECK(cells.size() == 16 * 6);
  CHECK(std::ranges::count(cells, "fp32", &RunConfig::dtype) == 16 * 3);
  for (const char* const tf32 : {"conv", "on"}) {
    CHECK(std::ranges::count(cells, tf32, &RunConfig::tf32) == 16);
  }
}
