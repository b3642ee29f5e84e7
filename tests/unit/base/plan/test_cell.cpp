#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/engine_obstacle.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <span>
#include <utility>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"

using namespace sdbench;

namespace {

/// A request that needs nothing on disk but the shipped architectures.
RunConfig tiny() {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  return config;
}

Cell resolved(const RunConfig& config) {
  return resolve_cell(config, true);
}

void refused(const RunConfig& config, const std::string& message) {
  CHECK_THROWS_WITH(resolved(config), message);
  CHECK_THROWS_AS(resolved(config), UsageError);
}

} // namespace

TEST_CASE("the model's defaults fill what the user left open") {
  const Cell cell = resolved(tiny());
  CHECK(cell.model.name == "tiny-sd15");
  CHECK(cell.width == cell.model.defaults.width);
  CHECK(cell.height == cell.model.defaults.height);
  CHECK(cell.steps == cell.model.defaults.steps);
  CHECK(cell.guidance == cell.model.defaults.guidance);
  CHECK(cell.timestep_spacing == cell.model.scheduler.timestep_spacing);
  CHECK(cell.karras == cell.model.scheduler.use_karras_sigmas);
  CHECK(cell.sampler == kUsualSampler.name);
  CHECK(planned_calls(cell) == cell.steps);
  CHECK(cell.images == 1);
  CHECK_FALSE(cell.dtype);
  CHECK(cell.device == "auto");
  CHECK(cell.prompts == std::vector<std::string>{kDefaultPrompt});
  CHECK_FALSE(cell.negative_prompt);
  CHECK(cell.weights.kind == WeightsLocation::Kind::kSynthetic);
  CHECK_FALSE(cell.weights.fallback);
}

TEST_CASE("of the text encoders' last layers so many may be left out that each keeps one") {
  RunConfig config = tiny();
  CHECK(resolved(config).clip_skip == 0);
  for (const auto& [model, most] :
       {std::pair("tiny-sd15", 1), std::pair("sd15", 11), std::pair("sd21", 22),
        std::pair("sdxl", 10), std::pair("tiny-sdxl", 0)}) {
    CAPTURE(model);
    config.model = model;
    config.clip_skip = most;
    CHECK(resolved(config).clip_skip == most);
    for (const std::int64_t wrong : {-1, most + 1, 99}) {
      config.clip_skip = wrong;
      const std::string bounds = most > 0 ? "between 0 and " + std::to_string(most) : "0";
      refused(config, "--clip-skip must be " + bounds + " for \"" + model +
                          "\", whose text encoders must keep a layer each, but is " +
                          std::to_string(wrong));
    }
  }
}

TEST_CASE("sdxl-turbo takes one step without guidance by default") {
  RunConfig config = tiny();
  config.model = "sdxl-turbo";
  const Cell cell = resolved(config);
  CHECK(cell.steps == 1);
  CHECK(cell.guidance == 0);
}

TEST_CASE("what the user says wins over the model") {
  RunConfig config = tiny();
  config.width = 72;
  config.height = 104;
  config.steps = 1000;
  config.guidance = 0;
  config.timestep_spacing = TimestepSpacing::kTrailing;
  config.karras = true;
  config.dtype = "bf16";
  config.device = "cuda:01";
  config.prompts = {""};
  config.negative_prompt = "";
  const Cell cell = resolved(config);
  CHECK(cell.width == 72);
  CHECK(cell.height == 104);
  CHECK(cell.steps == 1000);
  CHECK(cell.guidance == 0);
  CHECK(cell.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(cell.karras);
  CHECK(cell.dtype == Dtype::kBF16);
  CHECK(cell.device == "cuda:1");
  CHECK(cell.prompts == std::vector<std::string>{""});
  CHECK(cell.negative_prompt == "");
}

TEST_CASE("the sampler that the user names is the cell's") {
  RunConfig config = tiny();
  for (const SamplerRow& row : kSamplers) {
    config.scheduler = row.name;
    const Cell cell = resolved(config);
    CHECK(cell.sampler == row.name);
    CHECK(planned_calls(cell) == cell.steps * row.calls_per_step);
    CHECK(sampler_of(cell) == row.name);
  }
}

TEST_CASE("the axes of the engine reach the cell, and are its own choice by default") {
  const Cell plain = resolved(tiny());
  CHECK(plain.engine == "tuned");
  CHECK(plain.memory_format == "auto");
  CHECK(plain.packed_weights == "auto");
  CHECK(plain.tf32 == "off");
  CHECK(plain.cudnn_benchmark == "off");
  CHECK(plain.offload == "none");
  CHECK(plain.vae_tiling == "off");
  RunConfig config = tiny();
  config.dtype = "autocast-bf16";
  config.engine = "plain";
  config.packed_weights = "off";
  config.memory_format = "channels-last";
  config.tf32 = "conv";
  config.cudnn_benchmark = "on";
  config.offload = "stages";
  config.vae_tiling = "on";
  const Cell cell = resolved(config);
  CHECK(cell.dtype == Precision(Dtype::kBF16, true));
  CHECK(cell.engine == "plain");
  CHECK(cell.packed_weights == "off");
  CHECK(cell.memory_format == "channels-last");
  CHECK(cell.tf32 == "conv");
  CHECK(cell.cudnn_benchmark == "on");
  CHECK(cell.offload == "stages");
  CHECK(cell.vae_tiling == "on");
}

TEST_CASE("fp16 accumulation is refused on a CPU and in another dtype than fp16") {
  RunConfig config;
  config.fp16_accumulation = "on";
  config.device = "cpu";
  refused(config, "--fp16-accumulation must be off on a CPU, but is on");
  Cell cell;
  cell.fp16_accumulation = "on";
  CHECK(fp16_accumulation_obstacle(cell, false, std::nullopt).empty());
  CHECK(fp16_accumulation_obstacle(cell, false, Precision{Dtype::kF16, true}).empty());
  CHECK(fp16_accumulation_obstacle(cell, false, Precision{Dtype::kBF16, false}) ==
        "--fp16-accumulation must be off in bf16, but is on; set --dtype fp16");
  cell.fp16_accumulation = "off";
  CHECK(fp16_accumulation_obstacle(cell, true, Precision{Dtype::kBF16, false}).empty());
}

TEST_CASE("the yardstick is refused where it would not be ATen alone, and told what to ask for") {
  RunConfig config = tiny();
  config.engine = "plain";
  for (const char* asked : {"winograd", "onednn"}) {
    config.packed_weights = asked;
    CHECK_THROWS_WITH(resolved(config),
                      std::string("--packed-weights must be auto or off with --engine plain, which "
                                  "uses only ATen's kernels, but is ") +
                          asked);
  }
  config.packed_weights = "auto";
  config.kernels = "own";
  CHECK_THROWS_WITH(resolved(config), "--kernels must be auto or aten with --engine plain, which "
                                      "uses only ATen's kernels, but is own");
  config.kernels = "aten";
  config.attention = "own";
  CHECK_THROWS_WITH(resolved(config), "--attention must be auto or one of libtorch's with --engine "
                                      "plain, which uses only ATen's kernels, but is own");
  config.attention = "flash";
  CHECK_NOTHROW(resolved(config));
  config.engine = "tuned";
  config.kernels = config.attention = "own";
  config.packed_weights = "winograd";
  CHECK_NOTHROW(resolved(config));
  config.kernels = config.attention = "auto";
  config.engine = "plain";
  config.packed_weights = "off";
  CHECK_NOTHROW(resolved(config));
}

TEST_CASE("images follow the batch or the prompts") {
  RunConfig config = tiny();
  config.batch = 3;
  CHECK(resolved(config).images == 3);
  config.images = 6;
  CHECK(resolved(config).images == 6);
  config.batch = 1;
  config.images.reset();
  config.prompts = {"a", "b"};
  CHECK(resolved(config).images == 2);
}

TEST_CASE("sizes must be multiples of the VAE's factor") {
  RunConfig config = tiny();
  config.width = 513;
  refused(config, "--width must be a multiple of 8, but is 513; take 512 or 520");
  config.width = 0;
  refused(config, "--width must be between 8 and 16384, but is 0");
  config.width = -8;
  refused(config, "--width must be between 8 and 16384, but is -8");
  config.width = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS(resolved(config), UsageError);
  config.width = 64;
  config.height = 12;
  refused(config, "--height must be a multiple of 8, but is 12; take 8 or 16");
}

TEST_CASE("counts out of range are refused") {
  const auto with = [](auto member, std::int64_t value) {
    RunConfig config = tiny();
    config.*member = value;
    return config;
  };
  refused(with(&RunConfig::steps, 0), "--steps must be between 1 and 1000, but is 0");
  refused(with(&RunConfig::steps, 1001), "--steps must be between 1 and 1000, but is 1001");
  refused(with(&RunConfig::batch, 0), "--batch must be between 1 and 4096, but is 0");
  refused(with(&RunConfig::images, 0), "--images must be between 1 and 100000, but is 0");
  refused(with(&RunConfig::repeat, 0), "--repeat must be between 1 and 100000, but is 0");
  refused(with(&RunConfig::warmup, -1), "--warmup must be between 0 and 100000, but is -1");
  refused(with(&RunConfig::threads, -1), "--threads must be between 0 and 4096, but is -1");
}

TEST_CASE("images must fill batches, and prompts must match images") {
  RunConfig config = tiny();
  config.batch = 2;
  config.images = 3;
  refused(config, "--images must be a multiple of --batch (2), but is 3");
  config.images = 4;
  config.prompts = {"a", "b", "c"};
  refused(config,
          "--prompt must be given once or as often as there are images (4), but is given 3 times");
}

TEST_CASE("unknown names are refused with the known ones") {
  RunConfig config = tiny();
  config.dtype = "fp61";
  refused(config, "--dtype must be auto, fp16, bf16, fp32, autocast-fp16 or autocast-bf16, but is "
                  "\"fp61\"; did you mean fp16?");
  config = tiny();
  config.memory_format = "nhwc";
  refused(config, "--memory-format must be auto, contiguous or "
                  "channels-last, but is \"nhwc\"");
  config = tiny();
  config.offload = "stage";
  refused(config, "--offload must be none or stages, but is \"stage\"; did you mean stages?");
  config = tiny();
  config.cudnn_benchmark = "yes";
  refused(config, "--cudnn-benchmark must be off or on, but is \"yes\"");
  config = tiny();
  config.attention = "flahs";
  refused(config, "--attention must be auto, math, sliced, efficient, flash, cudnn, own, sdpa or "
                  "xformers, but is "
                  "\"flahs\"; did you mean flash?");
  for (const char* device : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:N", "CPU", ""}) {
    INFO(device);
    config = tiny();
    config.device = device;
    CHECK_THROWS_AS(resolved(config), UsageError);
  }
  config = tiny();
  config.model = "sd51";
  CHECK_THROWS_AS(resolved(config), UsageError);
}

TEST_CASE("a device in capitals gets a hint at its name") {
  RunConfig config = tiny();
  for (const auto& [device, meant] :
       {std::pair("CUDA:0", "cuda:0"), std::pair("Cpu", "cpu"), std::pair("Intel:1", "intel:1")}) {
    config.device = device;
    refused(config,
            std::string("--device must be auto, all, cpu, cpu:K, cuda, cuda:N, intel or intel:N, "
                        "but is \"") +
                device + "\"; did you mean " + meant + "?");
  }
}

TEST_CASE("a prompt of more than a megabyte is a wrong file") {
  RunConfig config;
  config.weights = "synthetic";
  config.model = "tiny-sd15";
  config.prompts = {std::string(1'000'001, 'x')};
  CHECK_THROWS_AS(resolve_cell(config, true), UsageError);
  config.prompts = {"x"};
  config.negative_prompt = std::string(1'000'001, 'x');
  CHECK_THROWS_AS(resolve_cell(config, true), UsageError);
  config.negative_prompt = std::string(1'000'000, 'x');
  CHECK_NOTHROW(resolve_cell(config, true));
}

TEST_CASE("guidance must be a number") {
  RunConfig config = tiny();
  config.guidance = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(resolved(config), UsageError);
}

TEST_CASE("initial latents must be a file that is there") {
  const test::ScratchFolder folder;
  RunConfig config = tiny();
  config.init_latents = folder.path() / "none.safetensors";
  CHECK_THROWS_WITH(resolved(config), Catch::Matchers::ContainsSubstring("is not there"));
  config.init_latents = folder.path();
  CHECK_THROWS_WITH(resolved(config), Catch::Matchers::ContainsSubstring("is not one"));
}

TEST_CASE("a GPU of Intel's is for the engines that know it, and for their dtypes there") {
  RunConfig config = tiny();
  config.engine = "openvino";
  for (const char* device : {"intel", "intel:1"}) {
    config.device = device;
    CHECK(resolved(config).device == device);
  }
  config.dtype = "fp16";
  CHECK(resolved(config).device == "intel:1");
  config.dtype = "bf16";
  refused(config, "--dtype must be fp32 or fp16 with --engine openvino, but is bf16");
  config = tiny();
  config.device = "intel:1";
  for (const char* own : {"tuned", "plain"}) {
    config.engine = own;
    refused(config, std::string("--device must be auto, cpu or cuda with --engine ") + own +
                        ", but is intel:1; --engine openvino can use it");
  }
  config.engine = "pytorch";
  refused(config, "--device must be cpu or cuda with --engine pytorch, but is intel:1");
  config.device = "intel:x";
  refused(config, "--device must be auto, all, cpu, cpu:K, cuda, cuda:N, intel or intel:N with K "
                  "the number of a share of the cores and N that of a GPU, but is \"intel:x\"");
}

TEST_CASE("initial latents of another form are seen before a model is read, for every engine") {
  const test::ScratchFolder folder;
  RunConfig config = tiny();
  config.width = config.height = 64;
  config.images = config.batch = 2;
  config.init_latents = folder.path() / "noise.safetensors";
  const auto hold = [&](const char* name, Dtype dtype, std::int64_t width) {
    write_safetensors(
        config.init_latents, {{name, dtype, {2, 4, 8, width}}},
        [](std::size_t, std::span<std::byte> bytes) { std::ranges::fill(bytes, std::byte{0}); });
  };
  const std::string must = config.init_latents.string() +
                           " must hold a tensor \"latents\", fp32 [2, 4, 8, 8] for this "
                           "size and --images, but ";
  for (const char* engine : {"tuned", "openvino"}) {
    config.engine = engine;
    hold("latents", Dtype::kF32, 8);
    CHECK(resolved(config).init_latents == config.init_latents);
    hold("latents", Dtype::kF32, 9);
    CHECK_THROWS_WITH(resolved(config), must + "holds fp32 [2, 4, 8, 9]");
    hold("latents", Dtype::kF16, 8);
    CHECK_THROWS_WITH(resolved(config), must + "holds fp16 [2, 4, 8, 8]");
    hold("noise", Dtype::kF32, 8);
    CHECK_THROWS_WITH(resolved(config), must + "has no tensor of that name");
    std::ofstream(config.init_latents) << "cut";
    CHECK_THROWS_WITH(resolved(config), Catch::Matchers::ContainsSubstring("noise.safetensors"));
  }
}

TEST_CASE("what another's engine cannot do on the device that is asked for is said") {
  RunConfig config = tiny();
  config.engine = "onnxruntime";
  config.device = "cpu";
  config.dtype = "bf16";
  refused(config, "--dtype must be fp32 with --engine onnxruntime, but is bf16");
  config.dtype = "auto";
  CHECK(resolved(config).engine == "onnxruntime");
  config.device = "cuda:0";
  config.dtype = "fp16";
  CHECK(resolved(config).engine == "onnxruntime");
  config.dtype = "bf16";
  refused(config, "--dtype must be fp32 or fp16 with --engine onnxruntime, but is bf16");
  config = tiny();
  config.engine = "openvino";
  config.device = "cuda:0";
  refused(config, "--device must be cpu or intel with --engine openvino, but is cuda:0");
  config = tiny();
  config.engine = "pytorch";
  config.attention = "cudnn";
  refused(config, "--attention must be auto, math, sliced, sdpa or xformers with --engine pytorch, "
                  "but is cudnn");
  config = tiny();
  config.engine = "tensorrt";
  config.device = "cpu";
  refused(config, "--device must be cuda with --engine tensorrt, but is cpu");
  config.device = "cuda:0";
  config.tf32 = "conv";
  refused(config, "--tf32 must be off or on with --engine tensorrt, but is conv");
  config = tiny();
  config.engine = "tuned";
  config.attention = "sdpa";
  refused(config, "--attention must be auto, math, sliced, efficient, flash, cudnn or own with "
                  "--engine tuned, but is sdpa");
}
