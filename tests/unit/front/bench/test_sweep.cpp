#include "sdbench/front/bench/sweep.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/precision.h"

using namespace sdbench;

namespace {

std::vector<SweepCell> cells_of(Json values) {
  values.update({{"weights", "synthetic"}});
  if (!values.contains("model")) {
    values["model"] = "tiny-sd15";
  }
  OptionLayers layers;
  layers.add(values, "--");
  return resolve_sweep(layers.cells());
}

/// "model batch dtype attention" of each step; "+" before one in a fresh worker.
std::vector<std::string> words_of(const std::vector<SweepCell>& cells,
                                  const std::vector<SweepStep>& steps) {
  std::vector<std::string> words;
  for (const SweepStep& step : steps) {
    const Cell& cell = cells[step.cell].planned.cell;
    words.push_back((step.fresh_worker ? "+" : "") + cell.model.name.substr(5) + " " +
                    std::to_string(cell.batch) + " " +
                    (cell.dtype ? std::string(name_of(*cell.dtype)) : "auto"));
  }
  return words;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("cells that share model and dtype stand together, and a model has a worker of its own") {
  const auto cells = cells_of(
      {{"model", {"tiny-sd15", "tiny-sdxl"}}, {"batch", {2, 1}}, {"dtype", {"fp32", "bf16"}}});
  CHECK(words_of(cells, plan_steps(cells, 1, std::nullopt)) ==
        Words{"sd15 2 fp32", "sd15 1 fp32", "sd15 2 bf16", "sd15 1 bf16", "+sdxl 2 fp32",
              "sdxl 1 fp32", "sdxl 2 bf16", "sdxl 1 bf16"});
}

TEST_CASE("cuDNN's plans outlive a cell: with and without its benchmark are two workers") {
  const auto cells = cells_of({{"cudnn-benchmark", {"off", "on"}}, {"batch", {1, 2}}});
  CHECK(words_of(cells, plan_steps(cells, 1, std::nullopt)) ==
        Words{"sd15 1 auto", "sd15 2 auto", "+sd15 1 auto", "sd15 2 auto"});
}

TEST_CASE("rounds repeat the whole list") {
  const auto cells = cells_of({{"batch", {1, 2}}});
  const auto steps = plan_steps(cells, 2, std::nullopt);
  CHECK(words_of(cells, steps) ==
        Words{"sd15 1 auto", "sd15 2 auto", "sd15 1 auto", "sd15 2 auto"});
  CHECK(steps[1].round == 1);
  CHECK(steps[2].round == 2);
}

TEST_CASE("restarts repeat a cell, each time in a fresh worker") {
  const auto cells = cells_of({{"batch", {1, 2}}});
  const auto steps = plan_steps(cells, 1, 2);
  CHECK(words_of(cells, steps) ==
        Words{"+sd15 1 auto", "+sd15 1 auto", "+sd15 2 auto", "+sd15 2 auto"});
  CHECK(steps[0].restart == 1);
  CHECK(steps[1].restart == 2);
  CHECK(words_of(cells, plan_steps(cells, 1, 1)) == Words{"+sd15 1 auto", "+sd15 2 auto"});
}

TEST_CASE("what does not fit together is an obstacle in a sweep, and an error alone") {
  const auto cells = cells_of({{"images", 6}, {"batch", {1, 4}}});
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].planned.obstacle.empty());
  CHECK(cells[1].planned.obstacle == "--images must be a multiple of --batch (4), but is 6");
  CHECK_THROWS_WITH(cells_of({{"images", 6}, {"batch", 4}}),
                    "--images must be a multiple of --batch (4), but is 6");
  CHECK_THROWS_AS(cells_of({{"images", 7}, {"batch", {4, 5}}}), UsageError);
}

TEST_CASE("a model that cannot be read is an obstacle in a sweep, and an error alone") {
  const test::ScratchFolder folder;
  folder.write("bad/model_index.json", R"({"_class_name": "FluxPipeline"})");
  const std::string bad = (folder.path() / "bad").string();
  const auto cells = cells_of({{"model", {bad, "tiny-sd15"}}, {"weights", "synthetic"}});
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].planned.obstacle.find("FluxPipeline") != std::string::npos);
  CHECK(cells[0].planned.cell.model.name == bad);
  CHECK(cells[0].planned.cell.width == 0);
  CHECK(cells[1].planned.obstacle.empty());
  try {
    (void)cells_of({{"model", bad}});
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::kEnvironment);
  }
}

TEST_CASE("a value that cannot be is an error in a sweep, too") {
  CHECK_THROWS_AS(cells_of({{"batch", {1, 0}}}), UsageError);
  CHECK_THROWS_AS(cells_of({{"size", {"64x64", "65x64"}}}), UsageError);
  CHECK_THROWS_AS(cells_of({{"dtype", {"fp32", "fp61"}}}), UsageError);
  CHECK_THROWS_AS(cells_of({{"model", {"tiny-sd15", "nothing"}}}), UsageError);
}

TEST_CASE("the images of a sweep's cells go to folders of their own, and latents need files") {
  const auto cells = cells_of({{"batch", {1, 2}}, {"save-images", "out"}});
  CHECK(cells[0].planned.cell.save_images == "out/cell-1");
  CHECK(cells[1].planned.cell.save_images == "out/cell-2");
  CHECK(cells_of({{"save-images", "out"}})[0].planned.cell.save_images == "out");
  CHECK_THROWS_AS(cells_of({{"batch", {1, 2}}, {"dump-latents", "out"}}), UsageError);
}

TEST_CASE("a parallel cell comes after each device's cell alone, with the same workers") {
  if (usable_cores().size() < 2) {
    WARN("not tested: this machine has one core");
    return;
  }
  const auto cells =
      cells_of({{"device", {"cpu:0", "cpu:1"}}, {"parallel", true}, {"batch", {1, 2}}});
  REQUIRE(cells.size() == 6);
  std::vector<std::string> words;
  for (const SweepStep& step : plan_steps(cells, 1, std::nullopt)) {
    const Cell& cell = cells[step.cell].planned.cell;
    words.push_back((step.fresh_worker ? "+" : "") + cell.device + " " +
                    std::to_string(cell.images));
    CHECK(cells[step.cell].team == std::vector<std::string>{"cpu:0", "cpu:1"});
  }
  CHECK(words ==
        Words{"cpu:0 2", "cpu:1 2", "cpu:0+cpu:1 2", "cpu:0 4", "cpu:1 4", "cpu:0+cpu:1 4"});
  words.clear();
  for (const SweepStep& step : plan_steps(cells, 1, 2)) {
    CHECK(step.fresh_worker);
    words.push_back(cells[step.cell].planned.cell.device + " " + std::to_string(step.restart));
  }
  const Words both = {"cpu:0 1", "cpu:1 1", "cpu:0+cpu:1 1", // cells to compare share a restart
                      "cpu:0 2", "cpu:1 2", "cpu:0+cpu:1 2"};
  Words of_two_batches = both;
  of_two_batches.insert(of_two_batches.end(), both.begin(), both.end());
  CHECK(words == of_two_batches);
}

TEST_CASE("images that cannot be shared are an obstacle, and options without sense an error") {
  if (usable_cores().size() < 2) {
    WARN("not tested: this machine has one core");
    return;
  }
  const Json two = {{"device", {"cpu:0", "cpu:1"}}, {"parallel", true}};
  const auto with = [&two](Json more) {
    more.update(two);
    return cells_of(more);
  };
  const auto cells = with({{"images", 4}, {"batch", {2, 4}}});
  REQUIRE(cells.size() == 6);
  CHECK(cells[2].planned.obstacle.empty());
  CHECK(cells[3].planned.obstacle == cells[5].planned.obstacle);
  CHECK(cells[5].planned.obstacle.starts_with("--images must be at least a batch for each"));
  CHECK_THROWS_AS(with({{"images", 1}}), UsageError);
  CHECK(with({{"images", 1}, {"share", "each"}})[2].planned.cell.images == 2);
  CHECK(with({{"share", "each"}})[0].planned.cell.images == 1);
  CHECK_THROWS_AS(with({{"batch", "auto"}}), UsageError);
  CHECK_THROWS_AS(with({{"share", "some"}}), UsageError);
  CHECK_THROWS_WITH(with({{"max-noise", "1%"}}),
                    Catch::Matchers::StartsWith("--max-noise must be given without --parallel"));
  CHECK_THROWS_AS(cells_of({{"share", "each"}}), UsageError);
  CHECK_THROWS_AS(cells_of({{"device", "cpu:1"}}), UsageError);
  CHECK_THROWS_AS(cells_of({{"device", "cpu"}, {"parallel", true}}), UsageError);
}
