#include "sdbench/base/config/preset_catalog.h"

#include <algorithm>

#include "catch.h"
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
  CHECK(names == std::vector<std::string>{"batch-sweep", "lake-house", "precision", "quick",
                                          "throughput-24"});
}

TEST_CASE("an unknown preset is refused with the known ones, the nearest first") {
  CHECK_THROWS_WITH(preset_file("lakehouse"),
                    Catch::Matchers::StartsWith("--preset must be one of lake-house, "));
  CHECK_THROWS_AS(preset_file("../models/sd15"), UsageError);
}

TEST_CASE("lake-house is the published protocol, with both kernels") {
  const std::vector<RunConfig> cells = cells_of_preset("lake-house");
  REQUIRE(cells.size() == 4);
  for (const RunConfig& cell : cells) {
    CHECK(cell.steps == 50);
    CHECK(cell.dtype == "fp16");
    CHECK(cell.images == 1);
    CHECK(cell.prompts == std::vector<std::string>{kDefaultPrompt});
    CHECK(cell.width == (cell.model == "sdxl" ? 768 : 512));
  }
  CHECK(std::ranges::count(cells, "sliced", &RunConfig::attention) == 2);
  CHECK(std::ranges::count(cells, "efficient", &RunConfig::attention) == 2);
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

TEST_CASE("the batches of precision and batch-sweep grow") {
  for (const char* name : {"precision", "batch-sweep"}) {
    const std::vector<RunConfig> cells = cells_of_preset(name);
    CHECK(std::ranges::is_sorted(cells, {}, &RunConfig::batch));
    CHECK(cells.back().batch == 256);
  }
}
