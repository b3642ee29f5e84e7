#include "sdbench/front/record/build_record.h"

#include <initializer_list>
#include <set>
#include <string_view>
#include <variant>

#include "catch.h"
#include "image_sample.h"
#include "made_up_cell.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/ids.h"

using namespace sdbench;

namespace {

Cell small_cell() {
  Cell cell;
  cell.model.name = "small";
  cell.model.scheduler.source_class = "PNDMScheduler";
  unet_of(cell.model).block_out_channels = {32, 64};
  unet_of(cell.model).down_block_has_attention = {true, false};
  unet_of(cell.model).up_block_has_attention = {false, true};
  unet_of(cell.model).layers_per_block = {1, 1};
  unet_of(cell.model).down_transformer_layers = {{1}, {}};
  unet_of(cell.model).up_transformer_layers = {{}, {1, 1}};
  unet_of(cell.model).head_counts = {2, 2};
  unet_of(cell.model).cross_attention_dims = {32, 32};
  cell.model.vae.block_out_channels = {32, 32, 32, 32};
  cell.model.text_encoders.resize(1);
  cell.weights.description = "synthetic:0";
  cell.width = 128;
  cell.height = 64;
  cell.steps = 4;
  cell.prompts = {"a", "b"};
  return cell;
}

/// The cell with one axis of the engine changed.
Cell with_other_axis(std::string_view changed) {
  Cell cell = small_cell();
  cell.*axis_named(changed).asked = changed == "engine" ? "plain" : "another";
  return cell;
}

CellOutcome good_outcome() {
  CellOutcome outcome;
  outcome.status = Status::kOk;
  outcome.result.emplace();
  outcome.result->device = {DeviceKind::kCuda, "NVIDIA H200", "Hopper", "9.0", "580.95", 0, 0, 0};
  outcome.result->runtime_version = "2.11.0";
  outcome.result->engine = "tuned";
  outcome.result->dtype_unet = Dtype::kF16;
  outcome.result->dtype_vae = Dtype::kBF16;
  outcome.result->use.attention = "flash";
  outcome.result->use.tf32 = "off";
  outcome.result->vae_tiles = 1;
  outcome.result->weights_identity = "synthetic:0";
  outcome.result->flags = {"one", "two"};
  outcome.result->samples = {test::image_sample(0.25, 2, 0.5, 4, {0.5, 0.5, 0.5, 0.5})};
  outcome.result->golden_check = "pass";
  outcome.result->golden_rel_err = 0.001;
  return outcome;
}

RecordContext context() {
  RecordContext context;
  context.run_id = "run";
  context.host = "box";
  context.label = "a label";
  context.runtime_version = "2.11.0";
  context.cpu = "a processor";
  context.memory_total_bytes = std::int64_t{8} << 30;
  return context;
}

} // namespace

TEST_CASE("a good cell's record says what was asked, what ran and how fast") {
  const RunRecord record = build_record(small_cell(), good_outcome(), context());
  CHECK(record.status == "ok");
  CHECK(record.error.empty());
  CHECK(record.model == "small");
  CHECK(record.weights == "synthetic:0");
  CHECK(record.scheduler == "euler");
  CHECK(record.noise_levels == "training");
  CHECK(record.scheduler_source == "PNDMScheduler");
  CHECK(record.timestep_spacing == "linspace");
  CHECK(record.device_name == "NVIDIA H200");
  CHECK(record.dtype_unet == "fp16");
  CHECK(record.dtype_vae == "bf16");
  CHECK(record.memory_format == "auto");
  CHECK(record.tf32 == "off");
  CHECK(record.tf32_used == "off");
  CHECK(record.cudnn_benchmark == "off");
  CHECK(record.offload == "none");
  CHECK(record.vae_tiling == "off");
  CHECK(record.vae_tiles == 1);
  CHECK(record.attention == "auto");
  CHECK(record.attention_used == "flash");
  CHECK(record.flags == "one two");
  CHECK(record.unet_it_s == 2);
  CHECK(record.label == "a label");
  CHECK(record.golden_rel_err == 0.001);
}

TEST_CASE("what a worker does not tell is empty, and neither 0 nor off") {
  CellOutcome outcome;
  outcome.status = Status::kOk;
  outcome.result.emplace();
  outcome.result->device.kind = DeviceKind::kCpu;
  outcome.result->samples.emplace_back().e2e_s = 4;
  const RunRecord record = build_record(small_cell(), outcome, context());
  CHECK(record.e2e_s == 4);
  CHECK(record.runtime_version == "2.11.0"); // of the worker, from the context
  for (const FieldName name : std::initializer_list<FieldName>{
           "engine", "dtype_vae", "dtype_text", "attention_used", "kv_cache_used", "tf32_used",
           "graphs_used", "vae_tiles", "unet_calls", "warmup", "load_s", "text_s", "unet_s",
           "vae_s_median", "step_s_mean", "unet_it_s", "first_image_s"}) {
    INFO(name.text());
    CHECK(field_text(record, field_named(name)).empty());
  }
}

TEST_CASE("weights that come from their file more slowly than a disk reads are flagged") {
  Cell cell = small_cell();
  cell.model.vae.block_out_channels = {2048, 2048, 2048, 2048}; // gigabytes
  CellOutcome outcome = good_outcome();
  const auto flagged = [&](double load_s) {
    outcome.result->load_s = load_s;
    return has_flag(build_record(cell, outcome, {}), "slow_load");
  };
  CHECK_FALSE(flagged(1000)); // synthetic weights are not read from a file
  cell.weights.kind = WeightsLocation::Kind::kFolder;
  CHECK(flagged(1000));
  CHECK_FALSE(flagged(1));
  cell.model.vae.block_out_channels = {32, 32, 32, 32};
  CHECK_FALSE(flagged(1000));
}

TEST_CASE("guidance doubles the batch of an iteration") {
  Cell cell = small_cell();
  const double macs = denoiser_macs(cell.model.denoiser, 8, 16, 77, 2);
  CHECK(build_record(cell, good_outcome(), context()).unet_tflop == 2e-12 * macs);
  cell.guidance = 1;
  CHECK_FALSE(is_guided(cell));
  CHECK(build_record(cell, good_outcome(), context()).unet_tflop ==
        2e-12 * denoiser_macs(cell.model.denoiser, 8, 16, 77, 1));
}

TEST_CASE("a UNet that is told the guidance scale has no second half") {
  Cell cell = small_cell();
  unet_of(cell.model).time_cond_proj_dim = 256;
  CHECK_FALSE(is_guided(cell));
  CHECK(unet_batch(cell) == cell.batch);
  CHECK(build_record(cell, good_outcome(), context()).unet_tflop ==
        2e-12 * denoiser_macs(cell.model.denoiser, 8, 16, 77, 1));
}

TEST_CASE("a made-up denoiser with another kind of text encoder has a record of its own sizes") {
  const Cell cell = test::made_up_cell();
  CellOutcome outcome = good_outcome(); // with samples as the engine's test_denoiser.cpp has them
  outcome.result->unet_calls = cell.steps;
  outcome.result->samples = {test::image_sample(0.25, 0.5, 0.25, 1, {0.25, 0.25}),
                             test::image_sample(0.25, 0.5, 0.25, 1, {0.25, 0.25})};
  const auto message =
      messages::decode_event(messages::encode(messages::Event(messages::OutcomeEvent{outcome})));
  const RunRecord record =
      build_record(cell, std::get<messages::OutcomeEvent>(message).outcome, context());
  CHECK(record.status == "ok");
  CHECK(record.model == "made-up");
  CHECK(record.guidance == 5);
  CHECK(record.unet_calls == 2);
  CHECK(record.unet_it_s == 4);
  CHECK(record.text_s == 0.25);
  CHECK(record.samples.size() == 2);
  // Two images of 8x8 latent pixels without second halves, and 11 tokens each.
  CHECK(record.unet_tflop ==
        2e-12 * denoiser_macs(cell.model.denoiser, 8, 8, test::kMadeUpTokens, 2));
}

TEST_CASE("a failed cell still gives a row with what was asked and why it failed") {
  Cell cell = small_cell();
  cell.dtype = Dtype::kF16;
  cell.device = "cuda:1";
  CellOutcome outcome;
  outcome.status = Status::kCrash;
  outcome.stage = CellStage::kLoad;
  outcome.message = "the worker was killed\nby signal 9";
  cell.tf32 = "on";
  cell.vae_tiling = "on";
  const RunRecord record = build_record(cell, outcome, context());
  CHECK(record.tf32 == "on");
  CHECK(record.tf32_used.empty());
  CHECK(record.vae_tiling == "on");
  CHECK_FALSE(record.vae_tiles);
  CHECK(record.status == "crash");
  CHECK(record.error == "load: the worker was killed by signal 9");
  CHECK(record.dtype_unet == "fp16");
  CHECK(record.device_kind == "cuda");
  CHECK(record.runtime_version == "2.11.0");
  CHECK_FALSE(record.unet_it_s);
}

TEST_CASE("an error of a path that the environment led to names the variable") {
  Cell cell = small_cell();
  cell.weights.path = "/shelf/mine.safetensors";
  cell.weights.variable = "SDBENCH_WEIGHTS";
  cell.data.path = "/data";
  cell.data.variable = "SDBENCH_DATA";
  const auto error = [&](const std::string& message) {
    CellOutcome outcome;
    outcome.status = Status::kError;
    outcome.message = message;
    return build_record(cell, outcome, context()).error;
  };
  CHECK(error("/shelf/mine.safetensors must have a header; name another") ==
        "/shelf/mine.safetensors must have a header; name another; SDBENCH_WEIGHTS leads there");
  CHECK(error("/data/test_batch.bin is cut off") ==
        "/data/test_batch.bin is cut off; SDBENCH_DATA leads there");
  CHECK(error("the loss must be finite, but is not") == "the loss must be finite, but is not");
  cell.weights.variable.clear();
  CHECK(error("/shelf/mine.safetensors is cut off") == "/shelf/mine.safetensors is cut off");
}

TEST_CASE("an error names its stage once, and an interruption is said by the status alone") {
  const auto error = [](Status status, const std::string& message) {
    CellOutcome outcome;
    outcome.status = status;
    outcome.stage = CellStage::kMeasure;
    outcome.message = message;
    return build_record(small_cell(), outcome, context()).error;
  };
  CHECK(error(Status::kInterrupted, "interrupted during stage measure") == "during stage measure");
  CHECK(
      error(Status::kCrash, "the worker must answer, but ended during stage measure; its words") ==
      "measure: the worker must answer, but ended; its words");
  CHECK(error(Status::kCrash, "ended during stage load") == "measure: ended during stage load");
}

TEST_CASE("a share's row lists its own cores, any other row those of the process") {
  RecordContext where = context();
  where.core_list = "0-3";
  where.cores = {0, 2, 1, 3}; // 0 and 2 are threads of one core
  Cell cell = small_cell();
  CHECK(build_record(cell, good_outcome(), where).core_list == "0-3");
  cell.cpu_share = CpuShare{.number = 1, .count = 2};
  CHECK(build_record(cell, good_outcome(), where).core_list == "1,3");
}

TEST_CASE("the environment is the machine's and the worker's, and no zero stands for unknown") {
  RecordContext where = context();
  where.core_count = 8;
  where.machine.os = "Debian";
  where.machine.container = "docker";
  where.cuda_visible_devices = "1";
  CellOutcome outcome = good_outcome();
  outcome.result->device.uuid = "GPU-a";
  outcome.result->device.sm_count = 132;
  outcome.result->device.index = 1;
  outcome.result->device.cudnn_version = "9.10.2";
  const RunRecord record = build_record(small_cell(), outcome, where);
  CHECK(record.os == "Debian");
  CHECK(record.container == "docker");
  CHECK(record.core_count == 8);
  CHECK(record.cuda_visible_devices == "1");
  CHECK(record.device_uuid == "GPU-a");
  CHECK(record.device_index == 1);
  CHECK(record.sm_count == 132);
  CHECK(record.cudnn_version == "9.10.2");
  CHECK_FALSE(record.device_memory_bytes.has_value()); // the worker did not say

  outcome.result->device.kind = DeviceKind::kCpu;
  const RunRecord on_cpu = build_record(small_cell(), outcome, where);
  CHECK_FALSE(on_cpu.device_index.has_value());
  CHECK(on_cpu.device_uuid.empty());
}

TEST_CASE("ids answer what, how and where, each alone") {
  const RunRecord base = build_record(small_cell(), good_outcome(), context());
  Cell cell = small_cell();

  SECTION("another size is other work") {
    cell.width = 64;
    const RunRecord other = build_record(cell, good_outcome(), context());
    CHECK(other.workload_id != base.workload_id);
    CHECK(other.variant_id == base.variant_id);
    CHECK(other.env_id == base.env_id);
    CHECK(other.cell_id != base.cell_id);
  }
  SECTION("layers of the text encoders that are left out are other work, and none are no word") {
    cell.clip_skip = 1;
    const RunRecord other = build_record(cell, good_outcome(), context());
    CHECK(other.clip_skip == 1);
    CHECK_FALSE(base.clip_skip.has_value());
    CHECK(other.workload_id != base.workload_id);
    CHECK(other.variant_id == base.variant_id);
    RunRecord said = base;
    said.clip_skip = 0; // a different program may write this
    CHECK(workload_id_of(said) == base.workload_id);
  }
  SECTION("another dtype is the same work done otherwise") {
    cell.dtype = Dtype::kF32;
    const RunRecord other = build_record(cell, good_outcome(), context());
    CHECK(other.workload_id == base.workload_id);
    CHECK(other.variant_id != base.variant_id);
    CHECK(other.env_id == base.env_id);
  }
  SECTION("each axis of the engine is the same work done otherwise") {
    std::set<std::string> variants{base.variant_id};
    const auto is_another = [&](std::string_view name, const Cell& other_cell) {
      INFO(name);
      CellOutcome outcome = good_outcome();
      outcome.result->engine = other_cell.engine;
      const RunRecord other = build_record(other_cell, outcome, context());
      CHECK(other.workload_id == base.workload_id);
      CHECK(variants.insert(other.variant_id).second);
    };
    cell.dtype = Precision(Dtype::kF16, true);
    is_another("dtype", cell);
    for (const EngineAxis& axis : engine_axes()) {
      is_another(axis.name, with_other_axis(axis.name));
    }
    CHECK(variants.size() == engine_axes().size() + 2);
  }
  SECTION("an engine that says who it is, as a peer does, is another way") {
    CellOutcome outcome = good_outcome();
    outcome.result->engine = "diffusers";
    const RunRecord other = build_record(cell, outcome, context());
    CHECK(other.engine == "diffusers");
    CHECK(other.workload_id == base.workload_id);
    CHECK(other.variant_id != base.variant_id);
  }
  SECTION("a way's id is of what was asked for, and of the libtorch") {
    cell.threads = 3;
    cell.tf32 = "on";
    const RunRecord other = build_record(cell, good_outcome(), context());
    CHECK(other.variant_id ==
          stable_id('v', {{"threads", "3"}, {"tf32", "on"}, {"libtorch_version", "2.11.0"}}));
    CHECK(other.asked_threads == 3);
    CHECK(other.asked_dtype == "auto");
    CHECK(other.asked_libtorch == "2.11.0");
  }
  SECTION("threads that are bound otherwise, and limited instructions, are another way") {
    RecordContext bound = context();
    bound.openmp_config = "OMP_PROC_BIND=close";
    RecordContext limited = context();
    limited.instruction_config = "ATEN_CPU_CAPABILITY=avx2";
    for (const RecordContext& changed : {bound, limited}) {
      CAPTURE(changed.openmp_config, changed.instruction_config);
      const RunRecord other = build_record(cell, good_outcome(), changed);
      CHECK(other.openmp_config == changed.openmp_config);
      CHECK(other.instruction_config == changed.instruction_config);
      CHECK(other.variant_id != base.variant_id);
      CHECK(other.env_id == base.env_id);
      CHECK(other.cell_id == cell_id_of(cell, changed));
    }
  }
  SECTION("the order in which CUDA numbers GPUs is told of a GPU's row, and no other way") {
    const RunRecord usual = build_record(cell, good_outcome(), context());
    CHECK(usual.cuda_device_order == "FASTEST_FIRST");
    RecordContext by_address = context();
    by_address.cuda_device_order = "PCI_BUS_ID";
    const RunRecord other = build_record(cell, good_outcome(), by_address);
    CHECK(other.cuda_device_order == "PCI_BUS_ID");
    CHECK(other.variant_id == usual.variant_id);
    CHECK(other.env_id == usual.env_id);
    CellOutcome on_cpu = good_outcome();
    on_cpu.result->device.kind = DeviceKind::kCpu;
    CHECK(build_record(cell, on_cpu, by_address).cuda_device_order.empty());
  }
  SECTION("another way of CUDA's is another way, but not for a cell on the CPU") {
    RecordContext blocking = context();
    blocking.cuda_config = "CUDA_LAUNCH_BLOCKING=1";
    for (const char* device : {"auto", "cuda:1", "cuda:0,cpu"}) {
      CAPTURE(device);
      cell.device = device;
      const RunRecord usual = build_record(cell, good_outcome(), context());
      const RunRecord other = build_record(cell, good_outcome(), blocking);
      CHECK(other.cuda_config == "CUDA_LAUNCH_BLOCKING=1");
      CHECK(other.variant_id != usual.variant_id);
      CHECK(other.env_id == usual.env_id);
      CHECK(other.cell_id == cell_id_of(cell, blocking));
    }
    for (const char* device : {"cpu", "cpu:1"}) {
      CAPTURE(device);
      cell.device = device;
      CellOutcome on_cpu = good_outcome();
      on_cpu.result->device.kind = DeviceKind::kCpu;
      const RunRecord other = build_record(cell, on_cpu, blocking);
      CHECK(other.cuda_config.empty());
      CHECK(other.variant_id == build_record(cell, on_cpu, context()).variant_id);
    }
  }
  SECTION("another host is another place") {
    RecordContext elsewhere = context();
    elsewhere.cpu = "another processor";
    const RunRecord other = build_record(cell, good_outcome(), elsewhere);
    CHECK(other.workload_id == base.workload_id);
    CHECK(other.variant_id == base.variant_id);
    CHECK(other.env_id != base.env_id);
    CHECK(other.cell_id == base.cell_id);
  }
  SECTION("a failed cell has the same cell as the good one, so that it can be run again") {
    const RunRecord other = build_record(cell, CellOutcome{}, context());
    CHECK(other.cell_id == base.cell_id);
  }
  SECTION("label, seed and observations belong to no id") {
    cell.seed = 5;
    CellOutcome outcome = good_outcome();
    outcome.result->use.attention = "math";
    const RunRecord other = build_record(cell, outcome, context());
    CHECK(other.workload_id == base.workload_id);
    CHECK(other.variant_id == base.variant_id);
    CHECK(other.cell_id == base.cell_id);
  }
}

TEST_CASE("each axis of the engine is in the row as it was asked for") {
  for (const EngineAxis& changed : engine_axes()) {
    INFO(changed.name);
    const Cell cell = with_other_axis(changed.name);
    const RunRecord record = build_record(cell, CellOutcome{}, context());
    for (const EngineAxis& axis : engine_axes()) {
      INFO(axis.name);
      const std::string& asked = cell.*axis.asked;
      const bool is_said = !axis.came_later || asked != axis.choices.front();
      CHECK(field_text(record, field_named(FieldName::of(axis.name))) == (is_said ? asked : ""));
    }
  }
}

TEST_CASE("the prompts' hash tells prompts and negative prompt apart") {
  Cell cell = small_cell();
  CHECK(prompt_sha256(cell) == sha256_hex("a\nb\n"));
  cell.negative_prompt = "";
  CHECK(prompt_sha256(cell) == sha256_hex(std::string("a\nb\n\0", 5)));
  cell.negative_prompt = "c";
  CHECK(prompt_sha256(cell) == sha256_hex(std::string("a\nb\n\0c", 6)));
}

TEST_CASE("a cell that ends while loading keeps the device that was known") {
  CellOutcome outcome;
  outcome.status = Status::kOomHost;
  outcome.stage = CellStage::kLoad;
  outcome.device = good_outcome().result->device;
  const RunRecord failed = build_record(small_cell(), outcome, context());
  const RunRecord good = build_record(small_cell(), good_outcome(), context());
  CHECK(failed.device_name == "NVIDIA H200");
  CHECK(failed.driver_version == good.driver_version);
  CHECK(failed.env_id == good.env_id);
  CHECK_FALSE(failed.warmup); // failed before its warm-up
}

TEST_CASE("warm-ups that nobody counted are unknown, and none is a count") {
  CellOutcome outcome = good_outcome();
  outcome.status = Status::kCrash;
  outcome.stage = CellStage::kMeasure;
  outcome.result->warmup = 0; // the worker reported samples, then died
  outcome.result->warmup_reason.clear();
  CHECK_FALSE(build_record(small_cell(), outcome, context()).warmup);
  outcome.result->warmup_reason = "asked";
  CHECK(build_record(small_cell(), outcome, context()).warmup == 0);
  outcome.result->warmup_reason.clear(); // interrupted in its warm-up
  outcome.result->warmup = 2;
  CHECK(build_record(small_cell(), outcome, context()).warmup == 2);
}

TEST_CASE("the ids of a cell's row are known before it has run") {
  const Cell cell = small_cell();
  const RunRecord record = build_record(cell, good_outcome(), context());
  CHECK(cell_id_of(cell, context()) == record.cell_id);
  CHECK(env_id_of(good_outcome().result->device, context()) == record.env_id);
  CHECK(env_id_of(record) == record.env_id);
  Cell other = cell;
  other.batch = 2;
  CHECK(cell_id_of(other, context()) != record.cell_id);
}

TEST_CASE("a row says which sweep, round and restart it is of") {
  RecordContext swept = context();
  swept.sweep_id = "0123";
  swept.round = 2;
  swept.restart = 3;
  const RunRecord record = build_record(small_cell(), good_outcome(), swept);
  CHECK(record.sweep_id == "0123");
  CHECK(record.round == 2);
  CHECK(record.restart == 3);
}

TEST_CASE("a share of the cores, and devices that run together, are another variant") {
  Cell cell = small_cell();
  cell.device = "cpu:0";
  const std::string whole_cpu = cell_id_of(cell, context());
  cell.cpu_share = CpuShare{0, 2};
  const std::string half = cell_id_of(cell, context());
  cell.cpu_share = CpuShare{0, 3};
  CHECK(cell_id_of(cell, context()) != half);
  CHECK(half != whole_cpu);
  cell.cpu_share = CpuShare{0, 2};
  cell.parallel_devices = {"cpu:0", "cpu:1"};
  cell.share = "prompts";
  const RunRecord together = build_record(cell, good_outcome(), context());
  CHECK(together.cell_id != half);
  CHECK(together.device == "cpu:0");
  CHECK(together.cpu_share == "0/2");
  CHECK(together.parallel_role == "device");
  CHECK(together.parallel_devices == 2);
  cell.share = "each";
  CHECK(build_record(cell, good_outcome(), context()).variant_id != together.variant_id);
}
