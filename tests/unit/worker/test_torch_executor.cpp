#include "catch.h"

#include <algorithm>
#include <filesystem>

#include <ATen/ATen.h>
#include <unistd.h>

#include "sdbench/config/model_config.h"
#include "sdbench/executor/run_dump.h"
#include "sdbench/kernels/cpu_instructions.h"
#include "sdbench/worker/latents_file.h"
#include "sdbench/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;
using test::tiny_cell;
namespace fs = std::filesystem;

namespace {

struct Ears final : ExecutorObserver {
  std::vector<std::string> stages;
  std::vector<std::string> notes;
  std::int64_t steps = 0;
  std::int64_t last_of_steps = 0;
  int loaded = 0;
  int first_images = 0;
  int samples = 0;
  std::atomic<bool>* stop_at_first_sample = nullptr;

  void on_stage(std::string_view stage) override { stages.emplace_back(stage); }
  void on_loaded(const CellResult&) override { ++loaded; }
  void on_note(std::string_view text) override { notes.emplace_back(text); }
  void on_step(std::int64_t, std::int64_t step, std::int64_t all, double) override {
    ++steps;
    last_of_steps += step + 1 == all ? 1 : 0;
  }
  void on_sample(bool first_image, const RunSample&) override {
    ++(first_image ? first_images : samples);
    if (!first_image && stop_at_first_sample != nullptr) {
      *stop_at_first_sample = true;
    }
  }
};

struct TemporaryFolder {
  TemporaryFolder()
      : path(fs::temp_directory_path() / ("sdbench-exec-" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

CellOutcome run(const Cell& cell, Ears& ears) {
  return TorchExecutor().run(cell, ears);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_sample(const RunSample& sample, std::size_t steps) {
  REQUIRE(sample.step_s.size() == steps);
  double sum = 0;
  for (const double step : sample.step_s) {
    CHECK(step > 0);
    sum += step;
  }
  CHECK(sample.unet_s >= sum * 0.999999); // two sums of the same marks
  CHECK(sample.text_s > 0);
  CHECK(sample.vae_s > 0);
  CHECK(sample.e2e_s >= sample.text_s + sample.unet_s + sample.vae_s);
}

} // namespace

TEST_CASE("a cell goes through all stages and every image is timed") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    Cell cell = tiny_cell(model);
    cell.batch = 2;
    cell.images = 4;
    Ears ears;
    const CellOutcome outcome = run(cell, ears);
    INFO(outcome.message);
    REQUIRE(outcome.status == Status::kOk);
    REQUIRE(outcome.result.has_value());
    const CellResult& result = *outcome.result;
    CHECK(result.device.kind == "cpu");
    CHECK(result.engine == "tuned");
    CHECK(result.memory_format_used == "channels-last");
    CHECK(result.packed_weights_used != "off");
    CHECK(result.dtype_unet == Dtype::kF32);
    CHECK(result.threads == 2);
    CHECK(result.unet_calls == 2);
    CHECK(result.weights_identity == "synthetic:0");
    CHECK(result.output_check == "pass");
    CHECK(result.warmup == 1);
    CHECK(result.load_s > 0);
    CHECK(result.peak_host_bytes > 10'000'000);
    CHECK_FALSE(result.peak_device_used_bytes.has_value());
    REQUIRE(result.samples.size() == 2);
    check_sample(result.first_image, 4); // 2 steps of 2 batches
    check_sample(result.samples[0], 4);
    check_sample(result.samples[1], 4);
    CHECK(ears.stages ==
          std::vector<std::string>{"load", "first_image", "warmup", "measure", "golden", "save"});
    CHECK(ears.loaded == 1);
    CHECK(ears.first_images == 1);
    CHECK(ears.samples == 2);
    CHECK(ears.steps == 3 * 4 + 2); // three runs of both batches, one warm-up batch
    CHECK(ears.last_of_steps == 4);
  }
}

TEST_CASE("a cell without timed runs makes its images once and dumps each step of them") {
  const TemporaryFolder folder;
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.steps = 3;
  cell.images = 2;
  cell.repeat = 0;
  cell.warmup = 0;
  cell.dump_run = folder.path / "run.safetensors";
  cell.dump_latents = folder.path / "final.safetensors";
  const CellOutcome outcome = executor.run(cell, ears);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->samples.empty());
  CHECK(outcome.result->output_check == "pass");
  const RunDump dump(cell.dump_run);
  CHECK(dump.images() == 2);
  CHECK(dump.steps() == 3);
  CHECK(dump.width() == cell.width);
  const at::Tensor latents = read_latents(cell.dump_latents, {2, 4, 8, 8});
  for (std::int64_t image = 0; image < 2; ++image) {
    const std::span<const float> last = dump.latents(3, image);
    const std::span<const float> before = dump.latents(2, image);
    CHECK(std::ranges::equal(last, std::span(latents[image].data_ptr<float>(), last.size())));
    CHECK_FALSE(std::ranges::equal(last, before));
  }
  CHECK_FALSE(std::ranges::equal(dump.pixels(0), dump.pixels(1)));
}

TEST_CASE("the time that packing took is a part of the load, and none where nothing was packed") {
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  const CellResult packed = executor.run(cell, ears).result.value();
  REQUIRE(packed.packed_weights_used != "off");
  CHECK(packed.prepare_s > 0);
  CHECK(packed.prepare_s < packed.load_s);
  CHECK(executor.run(cell, ears).result.value().prepare_s == 0); // the model was there already
  cell.packed_weights = "off";
  const CellResult as_they_are = executor.run(cell, ears).result.value();
  REQUIRE(as_they_are.load_s > 0);
  CHECK(as_they_are.prepare_s == 0);
}

TEST_CASE("the model stays for the next cell that needs the same, and gives the same numbers") {
  const TemporaryFolder folder;
  TorchExecutor executor;
  Ears ears;
  Cell cell = tiny_cell();
  cell.dump_latents = folder.path / "first.safetensors";
  const CellOutcome first = executor.run(cell, ears);
  REQUIRE(first.status == Status::kOk);
  CHECK(first.result->load_s > 0);
  cell.dump_latents = folder.path / "again.safetensors";
  const CellOutcome again = executor.run(cell, ears);
  REQUIRE(again.status == Status::kOk);
  CHECK(again.result->load_s == 0);
  CHECK(again.result->golden_check == "pass");
  CHECK(again.result->weights_identity == "synthetic:0");
  CHECK(read_latents(folder.path / "first.safetensors", {1, 4, 8, 8})
            .equal(read_latents(cell.dump_latents, {1, 4, 8, 8})));

  cell.batch = cell.images = 2;
  cell.dump_latents.clear();
  CHECK(executor.run(cell, ears).result->load_s == 0);
  executor.restart();
  CHECK(executor.run(cell, ears).result->load_s > 0);
}

TEST_CASE("what loading depends on is loaded again when it changes") {
  TorchExecutor executor;
  Ears ears;
  const auto is_loaded_for = [&](const Cell& cell) {
    const CellOutcome outcome = executor.run(cell, ears);
    INFO(outcome.message);
    REQUIRE(outcome.status == Status::kOk);
    return outcome.result->load_s > 0;
  };
  Cell cell = tiny_cell();
  CHECK(is_loaded_for(cell));
  cell.steps = 3;
  CHECK_FALSE(is_loaded_for(cell));
  cell.dtype = Dtype::kBF16;
  CHECK(is_loaded_for(cell));
  cell.attention = "math";
  CHECK(is_loaded_for(cell));
  cell.weights.seed = 1;
  CHECK(is_loaded_for(cell));
  cell.model = find_model_config("tiny-sdxl");
  CHECK(is_loaded_for(cell));
  CHECK_FALSE(is_loaded_for(cell));
}

TEST_CASE("a cell's peak of memory is its own, whatever ran before it") {
  TorchExecutor executor;
  Ears ears;
  Cell large = tiny_cell();
  large.width = large.height = 512;
  large.steps = large.repeat = 1;
  Cell small = tiny_cell();
  const std::int64_t large_peak = *executor.run(large, ears).result->peak_host_bytes;
  const std::int64_t small_peak = *executor.run(small, ears).result->peak_host_bytes;
  CHECK(small_peak < large_peak - 20'000'000);
}

TEST_CASE("the model of the cell before is no part of a cell's peak of memory") {
  TorchExecutor executor;
  Ears ears;
  Cell wordy = tiny_cell();
  wordy.weights.seed = 1; // no golden check, for no one has another vocabulary's latents
  wordy.model.text_encoder.vocab_size *= 32;
  const CellOutcome large = executor.run(wordy, ears);
  REQUIRE(large.status == Status::kOk);
  const CellOutcome small = executor.run(tiny_cell(), ears);
  REQUIRE(small.status == Status::kOk);
  CHECK(*small.result->peak_host_bytes < *large.result->peak_host_bytes - 100'000'000);
}

TEST_CASE("an image of a batch is the image that its seed gives alone") {
  const TemporaryFolder folder;
  Cell cell = tiny_cell();
  cell.images = 2;
  cell.dump_latents = folder.path / "both.safetensors";
  Ears ears;
  REQUIRE(run(cell, ears).status == Status::kOk);
  Cell alone = cell;
  alone.images = 1;
  alone.seed = cell.seed + 1;
  alone.dump_latents = folder.path / "alone.safetensors";
  REQUIRE(run(alone, ears).status == Status::kOk);
  const at::Tensor both = read_latents(cell.dump_latents, {2, 4, 8, 8});
  const at::Tensor one = read_latents(alone.dump_latents, {1, 4, 8, 8});
  CHECK(both[1].equal(one[0]));
  CHECK_FALSE(both[0].equal(one[0]));
}

TEST_CASE("given noise is used, and refused in another shape") {
  const TemporaryFolder folder;
  Cell cell = tiny_cell();
  cell.dump_latents = folder.path / "seed.safetensors";
  Ears ears;
  REQUIRE(run(cell, ears).status == Status::kOk);
  const at::Tensor of_seed = read_latents(cell.dump_latents, {1, 4, 8, 8});

  Cell given = cell;
  given.init_latents = cell.dump_latents;
  given.dump_latents = folder.path / "given.safetensors";
  REQUIRE(run(given, ears).status == Status::kOk);
  CHECK_FALSE(read_latents(given.dump_latents, {1, 4, 8, 8}).equal(of_seed));

  given.images = 2;
  const CellOutcome outcome = run(given, ears);
  CHECK(outcome.status == Status::kError);
  CHECK(outcome.stage == "load");
  CHECK(contains(outcome.message, "[1, 4, 8, 8]"));
  CHECK(contains(outcome.message, "[2, 4, 8, 8]"));
}

TEST_CASE("images are written as files of their own, named by seed") {
  const TemporaryFolder folder;
  Cell cell = tiny_cell();
  cell.images = 2;
  cell.seed = 5;
  cell.repeat = 1;
  cell.save_images = folder.path;
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  REQUIRE(outcome.result->image_files.size() == 2);
  CHECK(fs::path(outcome.result->image_files[0]).filename() == "tiny-sd15-64x64-2steps-seed5.png");
  CHECK(fs::file_size(outcome.result->image_files[1]) > 100);
}

TEST_CASE("the CPU is the last of the devices, with its memory") {
  const std::vector<DeviceInfo> devices = TorchExecutor().devices();
  REQUIRE_FALSE(devices.empty());
  CHECK(devices.back().kind == "cpu");
  CHECK_FALSE(devices.back().name.empty());
  CHECK(devices.back().memory_free_bytes > 0);
}

TEST_CASE("a device that is not there ends the cell before anything is loaded") {
  Cell cell = tiny_cell();
  cell.device = "cuda:77";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kError);
  CHECK(contains(outcome.message, "cuda:77"));
  CHECK_FALSE(outcome.result.has_value());
}

TEST_CASE("a cell that does not fit into memory is refused with both figures before it is loaded") {
  Cell cell = tiny_cell();
  cell.width = cell.height = std::int64_t{1} << 20;
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kOomHost);
  CHECK(outcome.stage == "load");
  CHECK(contains(outcome.message, "GiB"));
  CHECK(ears.loaded == 0);
}

TEST_CASE("each axis of the engine passes the golden check and is recorded") {
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  SECTION("channels-last") {
    cell.memory_format = "channels-last";
  }
  SECTION("contiguous, which no kernel of a CPU takes") {
    cell.memory_format = "contiguous";
    cell.packed_weights = "off";
  }
  SECTION("offload") {
    cell.offload = "stages";
  }
  SECTION("autocast") {
    cell.dtype = Precision(Dtype::kBF16, true);
  }
  SECTION("nothing computed before the first step") {
    cell.kv_cache = cell.time_cache = cell.shared_prefix = "off";
  }
  SECTION("all at once, with what changes nothing on a CPU") {
    cell.graphs = "on";
    cell.kernels = "own";
    cell.memory_format = "channels-last";
    cell.offload = "stages";
    cell.dtype = Precision(Dtype::kBF16, true);
    cell.vae_tiling = cell.tf32 = cell.cudnn_benchmark = true;
  }
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->golden_check == "pass");
  CHECK(outcome.result->dtype_unet == cell.dtype);
  CHECK_FALSE(outcome.result->tf32_used);
  CHECK(outcome.result->kv_cache_used == (cell.kv_cache == "auto"));
  CHECK(outcome.result->time_cache_used == (cell.time_cache == "auto"));
  CHECK(outcome.result->shared_prefix_used == (cell.shared_prefix == "auto"));
  check_sample(outcome.result->samples.at(0), 2);
  const auto changes_nothing = [](const std::string& note) {
    return contains(note, "changes nothing here");
  };
  CHECK(std::count_if(ears.notes.begin(), ears.notes.end(), changes_nothing) ==
        (cell.tf32 ? 5 : 0)); // TF32, cuDNN, one tile, graphs, kernels (under autocast)
  const bool has_own = !(cell.dtype && cell.dtype->autocast) &&
                       cell.memory_format != "contiguous" && cpu_instructions(at::kFloat);
  CHECK(outcome.result->kernels_used == (has_own ? "own" : "aten"));
  CHECK(outcome.result->graphs_used == "off");
  CHECK(outcome.result->graphs_obstacle == (cell.tf32 ? "graphs are for a GPU" : ""));
}

TEST_CASE("a large image is decoded in tiles where that was asked for") {
  Cell cell = tiny_cell();
  cell.warmup = 0;
  cell.repeat = 1;
  cell.steps = 1;
  cell.width = 264;
  cell.vae_tiling = true;
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  CHECK(outcome.result->vae_tiles == 3);
  CHECK(ears.notes.empty());
}

TEST_CASE("a stop ends the cell as interrupted and keeps what was measured") {
  std::atomic<bool> stop{false};
  Ears ears;
  ears.stop_at_first_sample = &stop;
  const CellOutcome outcome = TorchExecutor(&stop).run(tiny_cell(), ears);
  CHECK(outcome.status == Status::kInterrupted);
  CHECK(outcome.stage == "measure");
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->samples.size() == 1);
}

TEST_CASE("a cell whose time is over within its first image is ok, checked as far as it can be") {
  const TemporaryFolder folder;
  Cell cell = tiny_cell();
  cell.steps = 20;
  cell.max_time_s = 1e-9;
  cell.dump_latents = folder.path / "none.safetensors";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  CHECK(outcome.status == Status::kOk);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->stop_reason == "max_time");
  REQUIRE(outcome.result->partial_run.has_value());
  CHECK(outcome.result->partial_run->step_s.size() == 1);
  CHECK(outcome.result->samples.empty());
  CHECK(outcome.result->output_check.empty());
  CHECK(outcome.result->golden_check == "pass");
  CHECK_FALSE(fs::exists(cell.dump_latents));
  REQUIRE_FALSE(ears.notes.empty());
  CHECK(contains(ears.notes.back(), "--max-time"));
}

TEST_CASE("noise that makes the latents infinite is an invalid output") {
  const TemporaryFolder folder;
  Cell cell = tiny_cell();
  cell.init_latents = folder.path / "huge.safetensors";
  write_latents(cell.init_latents, at::full({1, 4, 8, 8}, 3e38));
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kInvalidOutput);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->output_check == "nan");
  CHECK(outcome.stage == "measure");
  CHECK_FALSE(contains(outcome.message, "--dtype fp32")); // that is what it ran in
  CHECK(contains(outcome.message, "--init-latents"));
}

TEST_CASE("half precision runs on a CPU, with a warning for fp16 and no fp16 in SDXL's VAE") {
  Cell cell = tiny_cell("tiny-sdxl");
  cell.repeat = 1;
  cell.warmup = 0;
  cell.steps = 1;
  cell.dtype = Dtype::kBF16;
  Ears ears;
  CHECK(run(cell, ears).status == Status::kOk);
  cell.dtype = Dtype::kF16;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  CHECK(outcome.status == Status::kOk);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->dtype_unet == Dtype::kF16);
  CHECK(outcome.result->dtype_vae != Dtype::kF16);
  REQUIRE_FALSE(ears.notes.empty());
  CHECK(std::any_of(ears.notes.begin(), ears.notes.end(),
                    [](const std::string& note) { return contains(note, "fp16 on a CPU"); }));
}

TEST_CASE("an empty prompt and one that is too long are run, with a note each") {
  Cell cell = tiny_cell();
  cell.repeat = 1;
  cell.warmup = 0;
  cell.prompts = {""};
  cell.negative_prompt = "";
  Ears empty;
  CHECK(run(cell, empty).status == Status::kOk);
  CHECK(empty.notes == std::vector<std::string>{"the prompt is empty: it is run as such"});

  std::string words;
  for (int i = 0; i < 10'000; ++i) {
    words += "lake ";
  }
  cell.prompts = {"a lake", words};
  cell.images = 2;
  cell.negative_prompt = words;
  Ears too_long;
  CHECK(run(cell, too_long).status == Status::kOk);
  CHECK(too_long.notes ==
        std::vector<std::string>{"1 of 2 prompts have more than the 75 tokens that the text "
                                 "encoder takes: 9925 are cut off",
                                 "the negative prompt has more than the 75 tokens that the text "
                                 "encoder takes: 9925 are cut off"});
}

TEST_CASE("a cell that ends while loading tells its device") {
  Cell cell = tiny_cell();
  cell.width = cell.height = 16384;
  cell.attention = "math";
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  CHECK(outcome.status == Status::kOomHost);
  CHECK_FALSE(outcome.result.has_value());
  REQUIRE(outcome.device.has_value());
  CHECK(outcome.device->kind == "cpu");
}
