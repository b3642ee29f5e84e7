#include "catch.h"

#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/exception_outcome.h"
#include "sdbench/engine/worker/memory_check.h"

using namespace sdbench;

namespace {

// Parameters of SD1.5: UNet, CLIP-L, and the VAE without its encoder.
constexpr std::int64_t kUNet = 859'520'964;
constexpr std::int64_t kText = 123'060'480;
constexpr std::int64_t kVae = 49'490'199;

std::int64_t sd15_bytes(const PipelineOptions& options) {
  return weight_bytes(find_model_config("sd15"), options);
}

} // namespace

TEST_CASE("weights are counted in their dtypes, and with offload the largest stage alone") {
  CHECK(sd15_bytes({}) == 4 * (kUNet + kText + kVae));
  CHECK(sd15_bytes({.dtype_text = at::kHalf, .dtype_unet = at::kHalf, .dtype_vae = at::kFloat}) ==
        2 * (kUNet + kText) + 4 * kVae);
  CHECK(sd15_bytes({.offload = Offload::kStages}) == 4 * kUNet);
}

TEST_CASE("autocast keeps fp32 weights, and the largest stage's copies beside them") {
  const StageDtype autocast(Precision(Dtype::kBF16, true));
  PipelineOptions options{.dtype_text = autocast, .dtype_unet = autocast, .dtype_vae = autocast};
  CHECK(sd15_bytes(options) == 4 * (kUNet + kText + kVae) + 2 * kUNet);
  options.offload = Offload::kStages;
  CHECK(sd15_bytes(options) == 6 * kUNet);
}

TEST_CASE("tiles need the working memory of one tile") {
  const VaeConfig vae = find_model_config("sd15").vae;
  const std::int64_t tile = working_bytes(vae, {}, 512, 512, 1);
  CHECK(working_bytes(vae, {}, 1024, 2048, 1) == 8 * tile);
  CHECK(working_bytes(vae, {.vae_tiling = true}, 1024, 2048, 1) == tile);
  CHECK(working_bytes(vae, {.vae_tiling = true}, 256, 256, 1) == tile / 4);
}

TEST_CASE("the weights that --dry-run counts are those that the worker loads") {
  for (const std::string& name : shipped_model_names()) {
    INFO(name);
    const ModelConfig model = find_model_config(name);
    if (model.network) {
      continue; // has no stages
    }
    for (const Precision precision : {Precision(Dtype::kF32), Precision(Dtype::kBF16, true)}) {
      for (const bool offload : {false, true}) {
        const StageDtype dtype(precision);
        const PipelineOptions options{.dtype_text = dtype,
                                      .dtype_unet = dtype,
                                      .dtype_vae = dtype,
                                      .offload = offload ? Offload::kStages : Offload::kNone};
        CHECK(weight_bytes(model, options) == weight_bytes(model, precision, offload));
      }
    }
  }
}

namespace {

Cell sd15_cell(std::int64_t batch = 1) {
  Cell cell;
  cell.model = find_model_config("sd15");
  cell.width = cell.height = 512;
  cell.batch = cell.images = batch;
  return cell;
}

bool fits(const Cell& cell, const PipelineOptions& options, const MemoryForCell& memory,
          bool has_weights = false) {
  try {
    require_memory_for_cell(cell, options, memory, has_weights);
    return true;
  } catch (const CellFailure&) {
    return false;
  }
}

/// The least memory of the device that the cell fits into, with plenty on the host.
std::int64_t least_device_bytes(const Cell& cell, const PipelineOptions& options) {
  std::int64_t too_little = 0;
  std::int64_t enough = std::int64_t{1} << 44;
  while (enough - too_little > 1) {
    const std::int64_t middle = too_little + (enough - too_little) / 2;
    (fits(cell, options, {middle, std::int64_t{1} << 44}) ? enough : too_little) = middle;
  }
  return enough;
}

} // namespace

TEST_CASE("a GPU must have room for weights and results, whether the weights are there or not") {
  const PipelineOptions options{.device = at::Device("cuda:0")};
  const std::int64_t least = least_device_bytes(sd15_cell(), options);
  CHECK(least > sd15_bytes(options));
  const MemoryForCell just{least, std::int64_t{1} << 40};
  const MemoryForCell less{least - 1, std::int64_t{1} << 40};
  for (const bool has_weights : {false, true}) { // they are part of what libtorch holds
    CHECK(fits(sd15_cell(), options, just, has_weights));
    CHECK_FALSE(fits(sd15_cell(), options, less, has_weights));
  }
  CHECK_FALSE(fits(sd15_cell(8), options, just));
  CHECK_FALSE(fits(sd15_cell(), options, {least, 0})); // images are kept on the host
  const PipelineOptions offload{.device = at::Device("cuda:0"), .offload = Offload::kStages};
  CHECK(least_device_bytes(sd15_cell(), offload) == least - 4 * (kText + kVae));
}

TEST_CASE("what a GPU's attention really is decides what the cell needs") {
  const PipelineOptions options{.device = at::Device("cuda:0")};
  Cell cell = sd15_cell();
  cell.width = cell.height = 1024; // 32 GiB of scores
  const std::int64_t least = least_device_bytes(cell, options);
  const MemoryForCell memory{2 * least, std::int64_t{1} << 40};
  const std::vector<std::string> flash(4, "flash");
  const std::vector<std::string> math(4, "math"); // as libtorch chooses for bf16 on Turing
  CHECK_NOTHROW(require_memory_for_cell(cell, options, memory, false, flash));
  CHECK_THROWS_AS(require_memory_for_cell(cell, options, memory, false, math), CellFailure);
  CHECK(has_room_for_graph(cell, options, memory, flash));
  CHECK_FALSE(has_room_for_graph(cell, options, memory, math));
}

TEST_CASE("a CPU must have room for results alone where the weights are there") {
  const PipelineOptions options{.device = at::kCPU};
  const auto room = [](std::int64_t bytes) { return MemoryForCell{bytes, bytes}; };
  const std::int64_t weights = sd15_bytes(options);
  CHECK_FALSE(fits(sd15_cell(), options, room(weights)));
  CHECK(fits(sd15_cell(), options, room(weights), true));
  CHECK_FALSE(fits(sd15_cell(), options, room(1000), true));
}

TEST_CASE("a graph needs room for the UNet's results beside the VAE's, and for CUDA's libraries") {
  const PipelineOptions options{.device = at::Device("cuda:0")};
  const std::int64_t without = least_device_bytes(sd15_cell(), options);
  CHECK_FALSE(has_room_for_graph(sd15_cell(), options, {.device_bytes = without}));
  CHECK(has_room_for_graph(sd15_cell(), options, {.device_bytes = 2 * without}));
  CHECK_FALSE(has_room_for_graph(sd15_cell(), options,
                                 {.device_bytes = 2 * without, .library_bytes = 2 * without}));
}

TEST_CASE("a cell that fits but for CUDA's libraries is tried, with a note; the rest is refused") {
  const PipelineOptions options{.device = at::Device("cuda:0")};
  const std::int64_t least = least_device_bytes(sd15_cell(), options);
  const auto memory = [](std::int64_t bytes) {
    return MemoryForCell{bytes, std::int64_t{1} << 40, kCudaLibraryBytes};
  };
  CHECK(fits(sd15_cell(), options, memory(least)));
  CHECK_FALSE(fits(sd15_cell(), options, memory(least - 1)));
  const MemoryForCell tight = memory(least + kCudaLibraryBytes - 1);
  CHECK(tight_memory_note(sd15_cell(), options, tight) ==
        "cuda:0 has " + bytes_text(tight.device_bytes) +
            " of memory (free, or held by this worker), and this model and size take about " +
            bytes_text(least + kCudaLibraryBytes) +
            " with CUDA's libraries: it may run out; --offload stages and --vae-tiling take less");
  CHECK(tight_memory_note(sd15_cell(), options, memory(least + kCudaLibraryBytes)).empty());
  const MemoryForCell later{least, std::int64_t{1} << 40, 0}; // the libraries have theirs
  CHECK(tight_memory_note(sd15_cell(), options, later).empty());
  CHECK(tight_memory_note(sd15_cell(), {.device = at::kCPU}, {}).empty());
  CHECK_THROWS_WITH(require_memory_for_cell(sd15_cell(), options, memory(0), false),
                    Catch::Matchers::ContainsSubstring("cuda:0 must have about " +
                                                       bytes_text(least + kCudaLibraryBytes)));
}

TEST_CASE("CUDA's libraries take about 0.6 GiB of a GPU, and nothing where a CPU computes") {
  CHECK(bytes_text(kCudaLibraryBytes) == "614 MiB");
  CHECK(memory_for_cell(at::kCPU, false).library_bytes == 0);
}

TEST_CASE("a batch that is decoded in parts needs the memory of one part") {
  const VaeConfig vae = find_model_config("sdxl").vae;
  const std::int64_t four = working_bytes(vae, {}, 1024, 1024, 4);
  CHECK(working_bytes(vae, {.most_decoded = std::int64_t{1} << 30}, 1024, 1024, 4) == four);
  CHECK(working_bytes(vae, {.most_decoded = std::int64_t{1} << 30}, 1024, 1024, 8) == four);
  CHECK(working_bytes(vae, {}, 1024, 1024, 8) == 2 * four);
}

TEST_CASE("a network's batch that a CPU has no memory for is refused beforehand, and no GPU's is") {
  Cell cell;
  cell.model = find_model_config("vgg16");
  cell.task = Task::kTrain;
  cell.batch = cell.images = 64;
  const std::int64_t weights = network_bytes(cell, Dtype::kF32);
  const std::int64_t results = network_working_bytes(cell, Dtype::kF32);
  const auto fits = [&](const char* device, const MemoryForCell& memory) {
    try {
      require_memory_for_network(cell, Dtype::kF32, at::Device(device), memory);
      return true;
    } catch (const CellFailure& failure) {
      CHECK(failure.status() == (std::string(device) == "cpu" || memory.device_bytes >= weights
                                     ? Status::kOomHost
                                     : Status::kOomDevice));
      return false;
    }
  };
  CHECK(fits("cpu", {0, weights + results}));
  CHECK_FALSE(fits("cpu", {0, weights}));
  CHECK(fits("cuda:0", {weights, std::int64_t{1} << 40}));
  CHECK_FALSE(fits("cuda:0", {weights - 1, std::int64_t{1} << 40}));
  CHECK_FALSE(fits("cuda:0", {weights, 0})); // its batch is made on the host
  cell.batch = 1;
  cell.shared_batch = 64; // all of which the host makes
  CHECK(fits("cuda:0", {weights, 64 * 3 * 224 * 224 * 4}));
  CHECK_FALSE(fits("cuda:0", {weights, 64 * 3 * 224 * 224 * 4 - 1}));
  cell.shared_batch = 0;
  cell.images = 1;
  CHECK(fits("cpu", {0, weights + results / 64}));
  CHECK_FALSE(fits("cpu", {0, weights}));
}
