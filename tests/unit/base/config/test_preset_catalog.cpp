#include "sdbench/base/config/preset_catalog.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "catch.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

std::vector<RunOptions> options_of_preset(const std::string& name) {
  OptionLayers layers;
  layers.add_file(preset_file(name));
  return layers.cells();
}

std::vector<RunConfig> cells_of_preset(const std::string& name) {
  std::vector<RunConfig> cells;
  for (const RunOptions& options : options_of_preset(name)) {
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
  CHECK(names == std::vector<std::string>{"batch-sweep", "card-1", "card-cpu-1", "cifar-2019",
                                          "egpu-2022", "engines", "lake-house", "onnxruntime-2022",
                                          "precision", "quick", "tensorrt-2023", "throughput-24"});
}

TEST_CASE("an unknown preset is refused with the known ones, the nearest first") {
  CHECK_THROWS_WITH(preset_file("lakehouse"),
                    Catch::Matchers::StartsWith("--preset must be one of lake-house, "));
  CHECK_THROWS_AS(preset_file("../models/sd15"), UsageError);
}

TEST_CASE("a preset's name without its number is the newest of that name") {
  CHECK(preset_file("card") == preset_file("card-1"));
  CHECK(preset_file("card-cpu") == preset_file("card-cpu-1"));
  CHECK(newest_of("card", {"card-1", "card-10", "card-2", "card-cpu-11", "card-x", "card-"}) ==
        "card-10");
  CHECK_FALSE(newest_of("car", {"card-1"}));
  CHECK_FALSE(newest_of("card", {"card-cpu-1", "card-1a", "card--1"}));
  CHECK_THROWS_AS(preset_file("card-2"), UsageError);
}

TEST_CASE("card and card-cpu are the same three workloads of each device's sizes by both engines") {
  for (const auto& [name, device, sd15, sdxl, steps] :
       {std::tuple("card-1", "cuda", 512, 1024, 20),
        std::tuple("card-cpu-1", "cpu", 256, 256, 3)}) {
    INFO(name);
    std::vector<std::tuple<std::string, std::int64_t, std::int64_t, std::string>> works;
    for (const RunOptions& options : options_of_preset(name)) {
      const RunConfig& cell = options.cell;
      works.emplace_back(cell.model, cell.width.value(), cell.batch.value(), cell.engine);
      CHECK(cell.height == cell.width);
      CHECK(cell.steps == steps);
      CHECK(cell.weights == "synthetic:0");
      CHECK(cell.device == device);
      CHECK(options.restarts == 3);
    }
    std::ranges::sort(works);
    CHECK(works == decltype(works){{"sd15", sd15, 1, "plain"},
                                   {"sd15", sd15, 1, "tuned"},
                                   {"sd15", sd15, 4, "plain"},
                                   {"sd15", sd15, 4, "tuned"},
                                   {"sdxl", sdxl, 1, "plain"},
                                   {"sdxl", sdxl, 1, "tuned"}});
  }
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
