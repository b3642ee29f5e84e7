#include "catch.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/worker/image_files.h"
#include "sdbench/engine/worker/image_work.h"
#include "sdbench/engine/worker/layer_sources.h"
#include "slow_device.h"
#include "tiny_cell.h"
#include "tiny_pipeline.h"

using namespace sdbench;

namespace {

/// Another source's weights, but for one tensor that is too large for what computes with it, as
/// weights in fp16 are for some.
class Overflowing final : public LayerSource {
public:
  Overflowing(std::unique_ptr<LayerSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    const at::Tensor weight = source_->take(name, shape);
    return name == name_ ? at::full_like(weight, std::numeric_limits<float>::infinity()) : weight;
  }
  void finish() override { source_->finish(); }

private:
  std::unique_ptr<LayerSource> source_;
  std::string name_;
};

/// A tiny pipeline in which a convolution of this component overflows.
StableDiffusion overflowing_pipeline(Component broken, const char* convolution) {
  const auto weights = [=](Component component, at::ScalarType dtype, at::Device device) {
    return std::make_unique<Overflowing>(test::synthetic(component, dtype, device),
                                         component == broken ? convolution : "");
  };
  return {find_model_config("tiny-sd15"), weights, {}};
}

} // namespace

TEST_CASE("an image that is not finite or of one colour is found, in any place of the batch") {
  const at::Tensor latents = at::zeros({2, 4, 2, 2});
  const at::Tensor pixels =
      at::linspace(0, 1, std::int64_t{2} * 3 * 16 * 16).reshape({2, 3, 16, 16});
  CHECK(check_output(latents, pixels) == "pass");

  at::Tensor broken = latents.clone();
  broken[1][3][1][1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_output(broken, pixels) == "non_finite");
  broken[1][3][1][1] = std::numeric_limits<float>::infinity();
  CHECK(check_output(broken, pixels) == "non_finite");
  at::Tensor holed = pixels.clone();
  holed[0][0][0][0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_output(latents, holed) == "non_finite");

  at::Tensor flat = pixels.clone();
  flat[1][0].fill_(0.5); // three channels, each of one value: one colour
  flat[1][1].fill_(0.1);
  flat[1][2].fill_(0.9);
  CHECK(check_output(latents, flat) == "constant");
  flat[1][2][3][3] = 0.2;
  CHECK(check_output(latents, flat) == "pass");
}

TEST_CASE("an image's file name has no letter that a shell or a file system minds") {
  Cell cell;
  cell.model.name = "../my model;$(x)\xff";
  cell.width = 72;
  cell.height = 104;
  cell.steps = 3;
  cell.device = "cuda:1";
  CHECK(image_file_name(cell, 7).ends_with("-seed7-cuda1.png"));
  cell.device = "cuda";
  CHECK(image_file_name(cell, 18446744073709551615u) ==
        "_.._my_model___x__-72x104-3steps-seed18446744073709551615.png");
}

TEST_CASE("a run hears of its steps while they are computed, and can be ended within a batch") {
  struct Stop {};
  Cell cell = test::tiny_cell("tiny-sd15");
  cell.steps = 12;
  const StableDiffusion pipeline(cell.model, make_layer_sources(cell.weights), {});
  test::SlowDevice device;
  ImageWork run(pipeline, cell, device, {});
  constexpr std::size_t kMarksBefore = 3; // of the text's two ends, and where the steps begin
  std::int64_t heard = 0;
  const auto listen = [&](std::int64_t last) {
    heard = 0;
    return [&, last](std::int64_t step, double) {
      CHECK(step == heard++);
      if (step < 10) { // the others are told when all is enqueued
        CHECK(device.made == kMarksBefore + static_cast<std::size_t>(step) + 3);
      }
      if (step == last) {
        throw Stop{};
      }
    };
  };
  RunOutput output;
  CHECK(run.run(listen(12), output).step_s.size() == 12);
  CHECK(heard == 12);
  CHECK_THROWS_AS(run.run(listen(4), output), Stop);
  CHECK(heard == 5);
  CHECK(device.made == kMarksBefore + 4 + 3); // two more steps, and nothing of the decoder
  CHECK(run.warm_up(listen(12)).step_s.size() == 12);
}

TEST_CASE(
    "the probe hears of a UNet that overflows before its second step, of a VAE at its image") {
  const Cell cell = test::tiny_cell();
  const auto clock = make_device_clock(at::kCPU);
  const auto steps_until_told = [&](Component broken, const char* convolution) {
    const StableDiffusion pipeline = overflowing_pipeline(broken, convolution);
    ImageWork run(pipeline, cell, *clock, {});
    RunOutput output;
    int steps = 0;
    run.probe_next_batch();
    CHECK_THROWS_AS(run.run([&](std::int64_t, double) { ++steps; }, output), ImageWork::NotFinite);
    static_cast<void>(run.run([](std::int64_t, double) {}, output)); // probed no longer
    CHECK(output.check == "non_finite");
    return steps;
  };
  CHECK(steps_until_told(Component::kUNet, "conv_in.weight") == 0);
  CHECK(steps_until_told(Component::kVae, "decoder.conv_in.weight") == cell.steps);
}

TEST_CASE("a probe of what is finite changes nothing") {
  const Cell cell = test::tiny_cell();
  const auto clock = make_device_clock(at::kCPU);
  const StableDiffusion pipeline = test::tiny_pipeline("tiny-sd15");
  ImageWork run(pipeline, cell, *clock, {});
  RunOutput probed;
  RunOutput later;
  run.probe_next_batch();
  static_cast<void>(run.run([](std::int64_t, double) {}, probed));
  static_cast<void>(run.run([](std::int64_t, double) {}, later));
  CHECK(probed.check == "pass");
  CHECK(probed.pixels.equal(later.pixels));
}
