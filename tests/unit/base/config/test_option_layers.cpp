#include "sdbench/base/config/option_layers.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

std::vector<RunOptions> cells_of(const Json& values) {
  OptionLayers layers;
  layers.add(values, "--");
  return layers.cells();
}

/// "model size steps batch dtype" of each cell.
std::vector<std::string> words_of(const std::vector<RunOptions>& cells) {
  std::vector<std::string> words;
  for (const RunOptions& options : cells) {
    const RunConfig& cell = options.cell;
    words.push_back(cell.model + " " + std::to_string(cell.width.value_or(0)) + "x" +
                    std::to_string(cell.height.value_or(0)) + " " +
                    std::to_string(cell.steps.value_or(0)) + " " +
                    std::to_string(cell.batch.value_or(0)) + " " + cell.dtype);
  }
  return words;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("nothing given is one cell of defaults") {
  const OptionLayers layers;
  CHECK(words_of(layers.cells()) == Words{"sd15 0x0 0 1 auto"});
}

TEST_CASE("lists make every combination, the first axis of the table slowest") {
  CHECK(words_of(cells_of({{"dtype", {"fp32", "fp16"}}, {"batch", {4, 1}}, {"steps", 5}})) ==
        Words{"sd15 0x0 5 4 fp32", "sd15 0x0 5 4 fp16", "sd15 0x0 5 1 fp32", "sd15 0x0 5 1 fp16"});
  CHECK(words_of(cells_of({{"size", {"64x64", "128x96"}}})) ==
        Words{"sd15 64x64 0 1 auto", "sd15 128x96 0 1 auto"});
  CHECK(cells_of({{"prompt", {"a", "b"}}}).size() == 1);
}

TEST_CASE("a later source wins, and lists are replaced whole") {
  OptionLayers layers;
  layers.add({{"width", 64}, {"steps", {5, 6}}, {"prompt", {"a", "b"}}}, "FILE: ");
  layers.add({{"size", "128x256"}, {"steps", 7}, {"prompt", {"c"}}}, "--");
  REQUIRE(layers.cells().size() == 1);
  const RunConfig cell = layers.cells().front().cell;
  CHECK(cell.width == 128);
  CHECK(cell.height == 256);
  CHECK(cell.steps == 7);
  CHECK(cell.prompts == std::vector<std::string>{"c"});
}

TEST_CASE("a later width changes the width of an earlier size alone") {
  OptionLayers layers;
  layers.add({{"size", {"64x64", "128x128"}}}, "FILE: ");
  layers.add({{"width", 72}}, "--");
  CHECK(words_of(layers.cells()) == Words{"sd15 72x64 0 1 auto", "sd15 72x128 0 1 auto"});
}

TEST_CASE("explicit cells stand over their file's values and under the command line") {
  const test::ScratchFolder folder;
  OptionLayers layers;
  layers.add_file(folder.write("sweep.json", R"({
    "description": "for people", "steps": 5, "batch": [1, 2],
    "cells": [{"model": "sd15", "size": "64x64"},
              {"model": "sdxl", "size": "96x96", "steps": [6, 7], "batch": 4, "label": "big"}]})"));
  CHECK(words_of(layers.cells()) == Words{"sd15 64x64 5 1 auto", "sd15 64x64 5 2 auto",
                                          "sdxl 96x96 6 4 auto", "sdxl 96x96 7 4 auto"});
  CHECK(layers.cells().back().label == "big");
  layers.add({{"size", "32x32"}, {"batch", {8, 9}}, {"steps", 1}}, "--");
  CHECK(words_of(layers.cells()) == Words{"sd15 32x32 1 8 auto", "sd15 32x32 1 9 auto",
                                          "sdxl 32x32 1 8 auto", "sdxl 32x32 1 9 auto"});
  layers.add({{"model", "tiny-sd15"}, {"label", ""}}, "--");
  CHECK(words_of(layers.cells()) == Words{"tiny-sd15 32x32 1 8 auto", "tiny-sd15 32x32 1 9 auto"});
}

TEST_CASE("a later file's cells take the place of an earlier one's") {
  const test::ScratchFolder folder;
  OptionLayers layers;
  layers.add_file(folder.write("a.json", R"({"steps": 5, "cells": [{"batch": 1}, {"batch": 2}]})"));
  layers.add_file(folder.write("b.json", R"({"cells": [{"batch": 7}]})"));
  CHECK(words_of(layers.cells()) == Words{"sd15 0x0 5 7 auto"});
}

TEST_CASE("a config file takes the options' names, with the place in its errors") {
  const test::ScratchFolder folder;
  OptionLayers good;
  good.add_file(folder.write("good.json", R"({"model": "sdxl", "steps": 9, "prompt": "one"})"));
  CHECK(good.cells().front().cell.prompts == std::vector<std::string>{"one"});

  const auto refused = [&](const char* content, const char* message) {
    const auto file = folder.write("bad.json", content);
    OptionLayers layers;
    CHECK_THROWS_WITH(layers.add_file(file), file.string() + message);
    CHECK_THROWS_AS(layers.add_file(file), UsageError);
  };
  refused(R"({"stepz": 9})", ": stepz is not an option; did you mean steps?");
  refused(R"({"steps": "9"})", ": steps must be a whole number or a list of such, but is \"9\"");
  refused(R"({"steps": 1.5})", ": steps must be a whole number or a list of such, but is 1.5");
  refused(R"({"steps": NaN})", ": steps must be a whole number or a list of such, but is NaN");
  refused(R"({"max-time": -Infinity})", ": max-time must be seconds above zero, but is -Infinity");
  refused(R"({"steps": [9, "x"]})",
          ": steps must be a whole number or a list of such, but is \"x\"");
  refused(R"({"steps": 18446744073709551615})",
          ": steps must be a whole number or a list of such, but is 18446744073709551615");
  refused(R"({"prompt": [1]})", ": prompt must be a text or a list of texts, but is a list");
  refused(R"({"no-save": 1})", ": no-save must be true or false, but is 1");
  refused(R"({"size": "9"})",
          ": size must be WIDTHxHEIGHT in pixels, such as 512x768, but is \"9\"");
  refused("[]",
          " must hold one JSON object of option names and values, but holds a value of type array");
  refused(R"({"description": 1})", ": description must be a text, but is 1");
  refused(R"({"cells": []})", ": cells must be a list of objects with options, but is empty");
  refused(R"({"cells": {}})",
          ": cells must be a list of objects with options, but is of type object");
  refused(R"({"cells": [{}, 1]})",
          ": cells[1]: a cell must be an object of option names and values, but is of type number");
  refused(R"({"cells": [{"stepz": 9}]})",
          ": cells[0]: stepz is not an option; did you mean steps?");
  refused(R"({"cells": [{"output": "a.csv"}]})", ": cells[0]: output must be given beside cells, "
                                                 "but is inside one: it holds for the whole run");
  OptionLayers layers;
  CHECK_THROWS_AS(layers.add_file(folder.path() / "missing.json"), Error);
  CHECK_THROWS_AS(layers.add_file(folder.write("broken.json", "{")), Error);
}

namespace {

/// What later sources say over a preset that trains with a loss of its own, as three networks' do.
std::vector<RunOptions> over_training(const Json& later, const Json& cells = Json::array()) {
  const test::ScratchFolder folder;
  Json preset = {{"model", {"tiny-resnet", "tiny-vgg"}},
                 {"task", {"infer", "train"}},
                 {"loss", "logit-sum"},
                 {"repeat", 5}};
  if (!cells.empty()) {
    preset["cells"] = cells;
  }
  OptionLayers layers;
  layers.add_file(folder.write("preset.json", preset.dump()));
  layers.add(later, "--");
  return layers.cells();
}

} // namespace

TEST_CASE("what a preset says of its own tasks is left out of a later source's") {
  CHECK(over_training({{"task", "infer"}}).size() == 2);
  CHECK(over_training({{"task", "infer"}}, {{{"update", "on"}}, {{"update", "off"}}}).size() == 2);
  const auto images = over_training({{"model", "tiny-sd15"}, {"task", "generate"}, {"steps", 2}});
  REQUIRE(images.size() == 1);
  CHECK(images[0].cell.steps == 2);
  CHECK(images[0].cell.loss == RunConfig().loss);
  const auto epochs = over_training({{"task", "train"}, {"epochs", 2}, {"loss", "cross-entropy"}});
  REQUIRE(epochs.size() == 2);
  CHECK(epochs[0].cell.repeat == RunConfig().repeat);
}

TEST_CASE("what the last source says itself must be of the task that is done") {
  CHECK_THROWS_WITH(over_training({{"task", "infer"}, {"loss", "cross-entropy"}}),
                    Catch::Matchers::StartsWith("--loss must be given with a task that has it"));
  CHECK_THROWS_WITH(over_training({{"task", "infer"}, {"update", "on"}}),
                    Catch::Matchers::StartsWith("--update must be given with a task that has it"));
  CHECK_THROWS_WITH(over_training({{"steps", 3}}),
                    Catch::Matchers::StartsWith("--steps must be given with a task that has it"));
  CHECK_THROWS_WITH(over_training({{"task", "train"}, {"epochs", 2}, {"repeat", 3}}),
                    Catch::Matchers::StartsWith("--repeat must be given without --epochs"));
}

TEST_CASE("more cells than anyone can mean are refused before they are made") {
  Json many = Json::array();
  for (int i = 1; i <= 1000; ++i) {
    many.push_back(i);
  }
  CHECK_THROWS_WITH(cells_of({{"batch", many}, {"steps", many}}),
                    "a sweep must have at most 100000 cells, but these lists make more; leave some "
                    "values out");
}

TEST_CASE("devices are an axis, and each cell knows the list that its device is of") {
  OptionLayers layers;
  layers.add({{"device", {"cpu:0", "cpu:1"}}, {"batch", {1, 2}}}, "--");
  const auto apart = layers.cells();
  REQUIRE(apart.size() == 4);
  CHECK(apart[3].cell.device == "cpu:1");
  CHECK(apart[3].cell.devices == std::vector<std::string>{"cpu:0", "cpu:1"});
  layers.add({{"parallel", true}}, "--");
  const auto together = layers.cells();
  REQUIRE(together.size() == 2);
  CHECK(together[1].cell.device == "cpu:0");
  CHECK(together[1].cell.devices == std::vector<std::string>{"cpu:0", "cpu:1"});
}

TEST_CASE("an axis that another's engine has not is one cell, whatever is asked of it") {
  const std::vector<RunOptions> cells =
      cells_of({{"engine", {"tuned", "openvino"}}, {"graphs", {"on", "off"}}, {"steps", {5, 6}}});
  std::vector<std::string> words;
  for (const RunOptions& options : cells) {
    words.push_back(options.cell.engine + " " + options.cell.graphs + " " +
                    std::to_string(options.cell.steps.value_or(0)));
  }
  CHECK(words == Words{"tuned on 5", "tuned off 5", "openvino auto 5", "tuned on 6", "tuned off 6",
                       "openvino auto 6"});
}

TEST_CASE("all is the engines of each device, and each of them stands there once") {
  OptionLayers layers;
  layers.add({{"engine", {"plain", "all"}}, {"device", {"cpu", "cuda"}}, {"graphs", {"on", "off"}}},
             "--");
  const EnginesOfDevice engines = [](const std::string& device) {
    return device == "cpu" ? Words{"plain", "openvino"} : Words{"plain"};
  };
  std::vector<std::string> words;
  for (const RunOptions& options : layers.expanded(engines).cells) {
    words.push_back(options.cell.device + " " + options.cell.engine + " " + options.cell.graphs);
  }
  CHECK(words == Words{"cpu plain on", "cpu plain off", "cpu openvino auto", "cuda plain on",
                       "cuda plain off"});
}

TEST_CASE("what is asked of an engine that has no such axis is told, unless it is the usual") {
  OptionLayers layers;
  layers.add({{"engine", {"tuned", "openvino"}},
              {"graphs", {"auto", "on", "off"}},
              {"kernels", "aten"},
              {"tf32", "off"},
              {"dynamic-shapes", {"off", "on"}}},
             "--");
  const std::vector<AbsentAxes> absent = layers.expanded().absent;
  REQUIRE(absent.size() == 2);
  CHECK(absent[0].engine == "tuned");
  CHECK(absent[0].options == Words{"--dynamic-shapes"});
  CHECK(absent[1].engine == "openvino");
  CHECK(absent[1].options == Words{"--kernels", "--graphs"});
}

TEST_CASE("an axis that another's engine has is one of its axes") {
  CHECK(cells_of({{"engine", "pytorch"}, {"attention", {"math", "sliced"}}}).size() == 2);
  CHECK(cells_of({{"engine", "openvino"}, {"attention", {"math", "sliced"}}}).size() == 1);
}

TEST_CASE("our engines have no dynamic shapes, and those that convert a model have") {
  CHECK(cells_of({{"engine", "tuned"}, {"dynamic-shapes", {"off", "on"}}}).size() == 1);
  CHECK(cells_of({{"dynamic-shapes", "on"}}).front().cell.dynamic_shapes == "off");
  CHECK(cells_of({{"engine", "openvino"}, {"dynamic-shapes", {"off", "on"}}}).size() == 2);
}

TEST_CASE("tiles make another image, so no engine leaves them out unsaid") {
  const std::vector<RunOptions> cells = cells_of({{"engine", "openvino"}, {"vae-tiling", true}});
  REQUIRE(cells.size() == 1);
  CHECK(cells.front().cell.vae_tiling == "on");
}
