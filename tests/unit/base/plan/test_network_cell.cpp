#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "cifar_files.h"
#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/task_table.h"

using namespace sdbench;

namespace {

PlannedCell planned(const Json& values, ModelResolver& models) {
  OptionLayers layers;
  layers.add(values, "--");
  const RunOptions options = layers.cells().front();
  return plan_cell(options.cell, options.model_given, models);
}

PlannedCell planned(const Json& values) {
  ModelResolver models;
  return planned(values, models);
}

std::vector<RunOptions> expanded_cells(const Json& values) {
  OptionLayers layers;
  layers.add(values, "--");
  return layers.cells();
}

std::string refusal_of(const Json& values) {
  try {
    static_cast<void>(planned(values));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a network infers twenty batches of its own size, if nobody says otherwise") {
  const Cell cell = planned({{"model", "tiny-resnet"}, {"batch", 4}}).cell;
  CHECK(cell.task == Task::kInfer);
  CHECK(cell.images == 80);
  CHECK(batches_of(cell) == 20);
  CHECK(cell.steps == 1);
  CHECK(cell.width == cell.model.network.value().image_size);
  CHECK(cell.prompts.empty());
  CHECK_FALSE(cell.update);
}

TEST_CASE("training takes its iterations and the optimiser's step") {
  const Cell cell = planned({{"model", "tiny-resnet"},
                             {"task", "train"},
                             {"iterations", 3},
                             {"batch", 2},
                             {"update", "on"}})
                        .cell;
  CHECK(cell.task == Task::kTrain);
  CHECK(cell.images == 6);
  CHECK(cell.update);
}

TEST_CASE("another batch leaves a run as many of them") {
  Cell cell = planned({{"model", "tiny-resnet"}, {"iterations", 3}, {"batch", 2}}).cell;
  set_batch(cell, 8);
  CHECK(cell.images == 24);
}

TEST_CASE("another batch leaves an epoch its images") {
  Cell cell = planned({{"model", "tiny-resnet"},
                       {"task", "train"},
                       {"epochs", 2},
                       {"data", "synthetic:100"},
                       {"batch", 1}})
                  .cell;
  set_batch(cell, 64);
  CHECK(cell.batch == 64);
  CHECK(cell.images == 100);
}

TEST_CASE("a task that the model cannot do is an obstacle") {
  CHECK(planned({{"model", "tiny-sd15"}, {"task", "train"}}).obstacle ==
        "--task must be generate for \"tiny-sd15\", but is train");
  CHECK(planned({{"model", "tiny-resnet"}, {"task", "generate"}}).obstacle ==
        "--task must be infer or train for \"tiny-resnet\", but is generate");
  CHECK(planned({{"model", "tiny-sd15"}, {"task", "eval"}}).obstacle ==
        "--task must be generate for \"tiny-sd15\", but is eval");
  CHECK(planned({{"model", "tiny-resnet"}, {"task", "eval"}}).cell.task == Task::kInfer);
}

TEST_CASE("engines of others compute networks as the table says, over epochs and together, too") {
  CHECK(planned({{"model", "tiny-resnet"}, {"engine", "openvino"}}).obstacle ==
        "--engine must be tuned, plain, pytorch or pytorch-compile for \"tiny-resnet\", but is "
        "openvino");
  for (const char* engine : {"pytorch", "pytorch-compile"}) {
    Json values = {{"model", "tiny-resnet"}, {"task", "train"}, {"engine", engine}};
    CHECK(planned(values).obstacle.empty());
    Json epochs = values;
    epochs["epochs"] = 1;
    epochs["data"] = "synthetic:10";
    CHECK(planned(epochs).obstacle.empty());
    CHECK(planned(epochs).cell.epochs == 1);
    Json parallel = values;
    parallel["parallel"] = true;
    parallel["batch"] = 2;
    parallel["device"] = {"cpu:0", "cpu:1"};
    CHECK(planned(parallel).obstacle == "");
  }
  CHECK(planned({{"model", "tiny-resnet"},
                 {"engine", "pytorch-compile"},
                 {"device", "cpu"},
                 {"dtype", "autocast-bf16"}})
            .obstacle.empty());
}

TEST_CASE("training whose loss is to be scaled is planned where a GPU may do it") {
  const auto obstacle = [](const char* task, const char* device, const char* dtype,
                           const char* engine) {
    return planned({{"model", "tiny-resnet"},
                    {"task", task},
                    {"device", device},
                    {"dtype", dtype},
                    {"engine", engine}})
        .obstacle;
  };
  CHECK(obstacle("train", "cpu", "autocast-fp16", "plain")
            .starts_with("--dtype must be another format for training on a CPU"));
  CHECK(obstacle("train", "cuda", "autocast-fp16", "tuned").empty());
  CHECK(obstacle("train", "cpu", "autocast-bf16", "tuned").empty());
  CHECK(obstacle("infer", "cpu", "autocast-fp16", "tuned").empty());
}

TEST_CASE("an option of images is refused for a network alone") {
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"steps", 5}}) ==
        "--steps must be given with a task that has it, but --task infer of \"tiny-resnet\" has no "
        "such option; leave it out");
  CHECK(refusal_of({{"model", "tiny-sd15"}, {"iterations", 5}})
            .starts_with("--iterations must be given with a task that has it"));
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"attention", "math"}})
            .starts_with("--attention must be given with a task that has it"));
}

TEST_CASE("an option that another task of the model has says which") {
  CHECK(refusal_of({{"model", "cnn10"}, {"epochs", 2}}) ==
        "--epochs must be given with a task that has it, but --task infer of \"cnn10\" has no such "
        "option; take --task train, or leave it out");
  for (const char* option : {"update", "data"}) {
    CHECK(refusal_of({{"model", "cnn10"}, {option, "on"}})
              .ends_with("; take --task train, or leave it out"));
  }
}

TEST_CASE("an option of some tasks of a sweep multiplies no cells of the others") {
  CHECK(expanded_cells({{"model", {"tiny-sd15", "tiny-resnet"}}, {"steps", {2, 3}}}).size() == 3);
  CHECK(expanded_cells(
            {{"model", "tiny-resnet"}, {"task", {"infer", "train"}}, {"update", {"on", "off"}}})
            .size() == 3);
}

TEST_CASE("iterations and update that cannot be are refused") {
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"iterations", 0}}) ==
        "--iterations must be between 1 and 100000, but is 0");
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"task", "train"}, {"update", "often"}}) ==
        "--update must be on or off, but is \"often\"");
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"task", "learn"}}) ==
        "--task must be generate, infer or train, but is \"learn\"");
}

TEST_CASE("training goes back from cross entropy, or from the sum of the answers, which teaches no "
          "epoch anything") {
  CHECK(planned({{"model", "tiny-resnet"}, {"task", "train"}}).cell.loss == kCrossEntropy);
  CHECK(planned({{"model", "tiny-resnet"}, {"task", "train"}, {"loss", "logit-sum"}}).cell.loss ==
        kLogitSum);
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"task", "train"}, {"loss", "hinge"}}) ==
        "--loss must be cross-entropy or logit-sum, but is \"hinge\"");
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"loss", "logit-sum"}})
            .starts_with("--loss must be given with a task that has it"));
  CHECK(refusal_of({{"model", "tiny-resnet"},
                    {"task", "train"},
                    {"epochs", 1},
                    {"data", "synthetic:10"},
                    {"loss", "logit-sum"}})
            .starts_with("--loss must be cross-entropy with --epochs, but is logit-sum"));
}

TEST_CASE("training holds a gradient of each weight, with its step the momentum, too") {
  const auto bytes = [](const Json& values) {
    return network_bytes(planned(values).cell, Dtype::kF32);
  };
  const std::int64_t weights = bytes({{"model", "tiny-resnet"}});
  CHECK(weights > 0);
  CHECK(bytes({{"model", "tiny-resnet"}, {"task", "train"}}) == 2 * weights);
  CHECK(bytes({{"model", "tiny-resnet"}, {"task", "train"}, {"update", "on"}}) == 3 * weights);
}

TEST_CASE("intermediate results grow with the batch, and training keeps more of them") {
  const auto bytes = [](const Json& values, Dtype dtype = Dtype::kF32) {
    return network_working_bytes(planned(values).cell, dtype);
  };
  const std::int64_t one = bytes({{"model", "tiny-resnet"}});
  CHECK(one > 0);
  CHECK(bytes({{"model", "tiny-resnet"}, {"batch", 8}}) == 8 * one);
  CHECK(2 * bytes({{"model", "tiny-resnet"}}, Dtype::kF16) == one);
  CHECK(bytes({{"model", "tiny-resnet"}, {"task", "train"}}) > 2 * one);
}

TEST_CASE("the next cell takes its batch, gradients and momentum, and what is not loaded yet") {
  const auto bytes = [](const Json& values, bool is_loaded) {
    return next_cell_bytes(planned(values).cell, is_loaded);
  };
  const Json infer = {{"model", "tiny-resnet"}, {"batch", 8}};
  const std::int64_t weights = network_bytes(planned(infer).cell, Dtype::kF32);
  CHECK(bytes(infer, true) == network_working_bytes(planned(infer).cell, Dtype::kF32));
  CHECK(bytes(infer, false) == bytes(infer, true) + 2 * weights);
  const Json train = {{"model", "tiny-resnet"}, {"batch", 8}, {"task", "train"}, {"update", "on"}};
  CHECK(bytes(train, true) ==
        network_working_bytes(planned(train).cell, Dtype::kF32) + 2 * weights);
  CHECK(bytes(train, false) == bytes(train, true) + 2 * weights);
}

TEST_CASE("time does not decide how many warm-ups there are where these change the weights") {
  Json values = {{"model", "tiny-vgg"}, {"task", "train"}};
  CHECK_FALSE(planned(values).cell.warmup.has_value());
  values["update"] = "on";
  CHECK(planned(values).cell.warmup == 2);
  values["warmup"] = 0;
  CHECK(planned(values).cell.warmup == 0);
}

TEST_CASE("each epoch is a run, of which the first is the first run, with the optimiser's step") {
  const Cell cell = planned({{"model", "tiny-resnet"},
                             {"task", "train"},
                             {"epochs", 3},
                             {"batch", 16},
                             {"data", "synthetic:100"}})
                        .cell;
  CHECK(cell.epochs == 3);
  CHECK(cell.repeat == 2);
  CHECK(cell.warmup == 0);
  CHECK(cell.update);
  CHECK(cell.images == 100);
  CHECK(batches_of(cell) == 7); // the last has 4 images
  CHECK_FALSE(cell.data_on_device);
  CHECK(whole_runs(cell) == 3);
}

TEST_CASE("epochs want a network of as many channels as the data have, which the plan says") {
  const test::ScratchFolder folder;
  Json source = find_model_config("tiny-resnet").source;
  source["network"]["input_channels"] = 1;
  const auto file = folder.write("grey.json", source.dump());
  const Json grey = {{"model", file.string()}, {"task", "train"}};
  CHECK(planned(grey).obstacle.empty()); // iterations have noise of any channels
  Json epochs = grey;
  epochs.update({{"epochs", 1}, {"data", "synthetic:10"}});
  CHECK_THAT(planned(epochs).obstacle,
             Catch::Matchers::EndsWith("is for 32x32 with 1 channel in 10 classes"));
}

TEST_CASE("an epoch of fewer images than a batch takes the memory of those that there are") {
  const auto bytes = [](std::int64_t batch, const char* data) {
    const Cell cell = planned({{"model", "tiny-resnet"},
                               {"task", "train"},
                               {"epochs", 1},
                               {"batch", batch},
                               {"data", data}})
                          .cell;
    return network_working_bytes(cell, Dtype::kF32);
  };
  CHECK(bytes(4096, "synthetic:10") == bytes(10, "synthetic:10"));
  CHECK(bytes(8, "synthetic:10") < bytes(10, "synthetic:10"));
}

TEST_CASE("a cell whose data cannot be read keeps the path that was asked for, and its model") {
  const Json values = {
      {"model", "tiny-resnet"}, {"task", "train"}, {"epochs", 1}, {"data", "/nowhere/cifar"}};
  const PlannedCell named = planned(values);
  CHECK_THAT(named.obstacle, Catch::Matchers::ContainsSubstring("is not there"));
  CHECK(named.cell.data.description == "/nowhere/cifar");
  CHECK(named.cell.weights.description == "synthetic:0");
  CHECK(named.cell.images == 0);
  const test::EnvironmentVariable variable("SDBENCH_DATA", "/nowhere/else");
  CHECK(
      planned({{"model", "tiny-resnet"}, {"task", "train"}, {"epochs", 1}}).cell.data.description ==
      "/nowhere/else");
}

TEST_CASE("a single epoch is the timed run") {
  const Cell cell =
      planned(
          {{"model", "tiny-resnet"}, {"task", "train"}, {"epochs", 1}, {"data", "synthetic:100"}})
          .cell;
  CHECK(cell.repeat == 1);
  CHECK_FALSE(has_first_run(cell));
  CHECK(whole_runs(cell) == 1);
}

TEST_CASE("a sweep reads its data once, for an epoch of what there is") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "cifar");
  const Json values = {{"model", "tiny-resnet"},
                       {"task", "train"},
                       {"epochs", 1},
                       {"data", (folder.path() / "cifar").string()}};
  ModelResolver models;
  CHECK(planned(values, models).cell.images == 5);
  folder.write("cifar/data_batch_1.bin", "cut off");
  CHECK(planned(values, models).cell.images == 5);
  const auto cut_off = Catch::Matchers::ContainsSubstring("it is cut off");
  const auto leads_there = Catch::Matchers::ContainsSubstring("; SDBENCH_DATA leads there");
  CHECK_THAT(planned(values).obstacle, cut_off && !leads_there);
  const test::EnvironmentVariable variable("SDBENCH_DATA", (folder.path() / "cifar").c_str());
  CHECK_THAT(planned({{"model", "tiny-resnet"}, {"task", "train"}, {"epochs", 1}}).obstacle,
             cut_off && leads_there);
}

TEST_CASE("epochs want a network of the data's images, and nothing beside them that they decide") {
  CHECK(planned({{"model", "vgg16"}, {"task", "train"}, {"epochs", 1}, {"data", "synthetic:10"}})
            .obstacle ==
        "--epochs must be given with a network for images of 32x32 with 3 channels in 10 classes, "
        "but \"vgg16\" is for 224x224 with 3 channels in 1000 classes");
  const Json train = {{"model", "tiny-resnet"}, {"task", "train"}};
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"iterations", 2}, {"repeat", 3}, {"warmup", 0}, {"max-noise", "1%"}}) {
    Json values = train;
    values.update({{"epochs", 1}, {name, value}});
    CHECK(refusal_of(values).starts_with("--" + name + " must be given without --epochs, but"));
  }
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"data", "synthetic:10"}, {"data-place", "host"}}) {
    Json values = train;
    values[name] = value;
    CHECK(refusal_of(values) ==
          "--" + name +
              " must be given with --epochs, but is given without it: without "
              "epochs all iterations use one batch; add --epochs N");
  }
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"task", "train"}, {"epochs", 0}})
            .starts_with("--epochs must be between 1"));
  CHECK(refusal_of({{"model", "tiny-resnet"}, {"task", "train"}, {"data-place", "shelf"}})
            .starts_with("--data-place must be host or device"));
}
