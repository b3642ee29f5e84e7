#include "catch.h"

#include <utility>

#include <ATen/Context.h>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"

using namespace sdbench;

namespace {

DeviceInfo gpu(const char* capability) {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  info.compute_capability = capability;
  return info;
}

DeviceInfo cpu() {
  DeviceInfo info;
  info.kind = DeviceKind::kCpu;
  return info;
}

Tf32 tf32_used(const DeviceInfo& info, const DtypeChoice& dtypes, const char* asked) {
  Cell cell;
  cell.tf32 = asked;
  const PipelineOptions options = pipeline_options(cell, at::kCPU, info, dtypes);
  CellResult result;
  record_engine(cell, options, dtypes, {}, result);
  CHECK(result.use.tf32 == (options.tf32 == Tf32::kNone ? "off" : asked));
  return options.tf32;
}

} // namespace

TEST_CASE("the cell's axes become the pipeline's options") {
  Cell cell;
  cell.engine = "plain";
  const PipelineOptions plain = pipeline_options(cell, at::kCPU, cpu(), {});
  CHECK(plain == PipelineOptions{});
  cell.attention = "sliced";
  cell.memory_format = "channels-last";
  cell.offload = "stages";
  cell.vae_tiling = "on";
  const Precision autocast(Dtype::kBF16, true);
  const PipelineOptions options =
      pipeline_options(cell, at::kCPU, cpu(), {autocast, autocast, Dtype::kF32});
  CHECK(options.attention == Attention::kSliced);
  CHECK(options.memory_format_unet == at::MemoryFormat::ChannelsLast);
  CHECK(options.memory_format_vae == at::MemoryFormat::ChannelsLast);
  CHECK(options.offload == Offload::kStages);
  CHECK(options.vae_tiling);
  CHECK(options.dtype_unet.weights == at::kFloat);
  CHECK(options.dtype_unet.autocast == at::kBFloat16);
  CHECK(options.dtype_unet.arithmetic() == at::kBFloat16);
  CHECK(options.dtype_vae == StageDtype(at::kFloat));
  CHECK_FALSE(options == plain);
}

TEST_CASE(
    "the tuned engine takes attention of our own where the processor has instructions for it") {
  Cell cell;
  for (const Dtype dtype : {Dtype::kF32, Dtype::kBF16, Dtype::kF16}) {
    const DtypeChoice dtypes{dtype, dtype, dtype};
    const bool there = cpu_instructions(to_scalar_type(dtype)).has_value();
    cell.engine = "tuned";
    CHECK(pipeline_options(cell, at::kCPU, cpu(), dtypes).attention ==
          (there ? Attention::kOwn : Attention::kAuto));
    CHECK(pipeline_options(cell, at::Device("cuda"), cpu(), dtypes).attention == Attention::kAuto);
    cell.engine = "plain";
    CHECK(pipeline_options(cell, at::kCPU, cpu(), dtypes).attention == Attention::kAuto);
  }
}

TEST_CASE("the tuned engine takes channels-last and packed weights on a CPU that has both") {
  const Cell cell;
  const DtypeChoice fp32{Dtype::kF32, Dtype::kF32, Dtype::kF32};
  const PipelineOptions on_cpu = pipeline_options(cell, at::kCPU, cpu(), fp32);
  CHECK(on_cpu.memory_format_unet == at::MemoryFormat::ChannelsLast);
  const bool has_kernels = cpu_instructions(at::kFloat).has_value();
  CHECK(on_cpu.packing == (has_kernels ? Packing::kWinograd : Packing::kOneDnn));
  CHECK(on_cpu.kv_cache);
  CHECK(on_cpu.time_cache);
  CHECK(on_cpu.shared_prefix);
  const PipelineOptions on_gpu = pipeline_options(cell, at::Device("cuda:0"), gpu("9.0"), fp32);
  CHECK(on_gpu.memory_format_unet == at::MemoryFormat::Contiguous);
  CHECK(on_gpu.packing == Packing::kNone);
  CHECK(on_gpu.kv_cache);
  CHECK(on_gpu.time_cache);
  CHECK(on_gpu.shared_prefix);
  CHECK(on_gpu.graphs == Graphs::kNone); // as was chosen, here: neither
  CHECK_FALSE(on_gpu.own_kernels);
  const EngineChoices graphs{.kernels = {}, .graphs = {.used = Graphs::kStep, .obstacle = {}}};
  CHECK(pipeline_options(cell, at::Device("cuda:0"), gpu("9.0"), fp32, graphs).graphs ==
        Graphs::kStep);
  const EngineChoices kernels{.kernels = {.used = true, .obstacle = {}}, .graphs = {}};
  const PipelineOptions with_kernels =
      pipeline_options(cell, at::Device("cuda:0"), gpu("9.0"), fp32, kernels);
  CHECK(with_kernels.own_kernels);
  CHECK(with_kernels.graphs == Graphs::kNone);
  const DtypeChoice fp16{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const auto format_by_itself = [&](const char* capability, const char* name) {
    DeviceInfo info = gpu(capability);
    info.name = name;
    return pipeline_options(cell, at::Device("cuda:0"), info, fp16, kernels).memory_format_unet;
  };
  CHECK(format_by_itself("7.0", "V100") == at::MemoryFormat::ChannelsLast);
  CHECK(format_by_itself("7.5", "T4") == at::MemoryFormat::ChannelsLast);
  for (const auto& [capability, name] : {std::pair("6.0", "P100"),
                                         {"6.1", "GTX 1080"},
                                         {"7.5", "GTX 1660"}}) { // without tensor cores
    CHECK(format_by_itself(capability, name) == at::MemoryFormat::Contiguous);
  }
  CHECK(pipeline_options(cell, at::kCPU, cpu(), fp16).packing == Packing::kNone);
  const Precision autocast(Dtype::kBF16, true);
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {autocast, autocast, autocast}).packing ==
        Packing::kNone);
}

TEST_CASE(
    "each stage's images lie as its dtype wants them, and the record says where they differ") {
  const EngineChoices own{.kernels = {.used = true, .obstacle = {}}, .graphs = {}};
  const auto used = [](const char* asked, const char* device, const DtypeChoice& dtypes,
                       const EngineChoices& choices) {
    Cell cell;
    cell.memory_format = asked;
    cell.packed_weights = "off"; // which knows one order only
    const PipelineOptions options =
        pipeline_options(cell, at::Device(device), gpu("7.5"), dtypes, choices);
    CellResult result;
    record_engine(cell, options, dtypes, choices, result);
    return result.use.memory_format;
  };
  const DtypeChoice fp32{Dtype::kF32, Dtype::kF32, Dtype::kF32};
  const DtypeChoice fp16{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const DtypeChoice fp16_but_vae{Dtype::kF16, Dtype::kF16, Dtype::kF32}; // SDXL before Ampere
  const DtypeChoice bf16_vae{Dtype::kF16, Dtype::kF16, Dtype::kBF16};
  CHECK(used("auto", "cuda:0", fp16, own) == "channels-last");
  CHECK(used("auto", "cuda:0", bf16_vae, own) == "channels-last");
  CHECK(used("auto", "cuda:0", fp16_but_vae, own) == "channels-last+contiguous");
  CHECK(used("auto", "cuda:0", fp32, own) == "contiguous"); // no tensor cores for it
  CHECK(used("auto", "cuda:0", fp16, {}) == "contiguous");
  CHECK(used("channels-last", "cuda:0", fp16_but_vae, own) == "channels-last"); // as asked
  CHECK(used("contiguous", "cuda:0", fp16_but_vae, own) == "contiguous");
  CHECK(used("auto", "cpu", fp16_but_vae, {}) == "channels-last");
}

TEST_CASE("a GPU decodes large batches in parts, whatever the engine, a CPU all images at once") {
  for (const char* engine : {"plain", "tuned"}) {
    Cell cell;
    cell.engine = engine;
    CHECK(pipeline_options(cell, at::Device("cuda:0"), gpu("9.0"), {}).most_decoded ==
          kMostDecodedOnGpu);
    CHECK_FALSE(pipeline_options(cell, at::kCPU, cpu(), {}).most_decoded.has_value());
  }
}

TEST_CASE("the VAE's attention is ours, by blocks on a tuned GPU in 16 bits or before Ampere, or "
          "libtorch's") {
  const auto of_vae = [](const char* engine, const char* asked, const char* device,
                         const Precision& vae, const char* capability = "8.0") {
    Cell cell;
    cell.engine = engine;
    cell.attention = asked;
    return pipeline_options(cell, at::Device(device), gpu(capability), {vae, vae, vae})
        .attention_vae;
  };
  for (const Dtype dtype : {Dtype::kF16, Dtype::kBF16}) {
    CHECK(of_vae("tuned", "auto", "cuda:0", dtype) == Attention::kBlocked);
    CHECK(of_vae("plain", "auto", "cuda:0", dtype) == Attention::kAuto);
    CHECK(of_vae("tuned", "flash", "cuda:0", dtype) == Attention::kBlocked); // up to 256 wide
    CHECK(of_vae("tuned", "cudnn", "cuda:0", dtype) == Attention::kBlocked);
    CHECK(of_vae("plain", "flash", "cuda:0", dtype) == Attention::kAuto);
    CHECK(of_vae("tuned", "efficient", "cuda:0", dtype) == Attention::kAuto);
    CHECK(of_vae("tuned", "auto", "cuda:0", Precision(dtype, true)) == Attention::kAuto);
  }
  CHECK(of_vae("tuned", "auto", "cuda:0", Dtype::kF32) == Attention::kAuto);
  // libtorch writes no fp32 product of bf16 before Ampere.
  CHECK(of_vae("tuned", "auto", "cuda:0", Dtype::kBF16, "7.5") == Attention::kAuto);
  // Turing has no bf16, and "efficient" has no tensor cores there in fp32.
  CHECK(of_vae("tuned", "auto", "cuda:0", Dtype::kF32, "7.5") == Attention::kBlocked);
  CHECK(of_vae("plain", "auto", "cuda:0", Dtype::kF32, "7.5") == Attention::kAuto);
  CHECK(of_vae("tuned", "auto", "cuda:0", Precision(Dtype::kF16, true), "7.5") == Attention::kAuto);
  const bool there = cpu_instructions(at::kFloat).has_value();
  CHECK(of_vae("tuned", "auto", "cpu", Dtype::kF32) ==
        (there ? Attention::kOwn : Attention::kAuto));
  CHECK(of_vae("tuned", "flash", "cpu", Dtype::kF32) == Attention::kAuto);
  CHECK(of_vae("tuned", "auto", "cpu", Dtype::kF16) == Attention::kAuto);
}

TEST_CASE("few and small images are convolved by oneDNN, unless Winograd's form is asked for") {
  const bool has_kernels = cpu_instructions(at::kFloat).has_value();
  const Packing winograd = has_kernels ? Packing::kWinograd : Packing::kOneDnn;
  Cell cell;
  const auto packing = [&] { return pipeline_options(cell, at::kCPU, cpu(), {}).packing; };
  cell.width = cell.height = 128;
  cell.guidance = 7.5;
  CHECK(packing() == Packing::kOneDnn);
  cell.batch = 2; // with guidance, the UNet has four images
  CHECK(packing() == winograd);
  cell.guidance = 1;
  CHECK(packing() == Packing::kOneDnn);
  cell.packed_weights = "winograd";
  CHECK(packing() == winograd);
}

TEST_CASE("a network's weights are packed at any size, in the form that is asked for") {
  const bool has_kernels = cpu_instructions(at::kFloat).has_value();
  const Packing winograd = has_kernels ? Packing::kWinograd : Packing::kOneDnn;
  Cell cell;
  cell.task = Task::kInfer;
  cell.width = cell.height = 32;
  const auto packing = [&](Precision precision) {
    return packing_of(cell, at::kCPU, cpu(), precision);
  };
  CHECK(packing(Dtype::kF32) == winograd);
  CHECK(packing(Precision(Dtype::kBF16, true)) == Packing::kNone); // autocast
  cell.packed_weights = "onednn";
  CHECK(packing(Dtype::kF32) == Packing::kOneDnn);
  cell.packed_weights = "off";
  CHECK(packing(Dtype::kF32) == Packing::kNone);
}

TEST_CASE("each choice of the tuned engine can be switched off, and the yardstick makes none") {
  Cell cell;
  cell.packed_weights = "onednn";
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).packing == Packing::kOneDnn);
  cell.packed_weights = "winograd"; // oneDNN's where nothing convolves in fp32, or without kernels
  const bool has_kernels = cpu_instructions(at::kFloat).has_value();
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).packing ==
        (has_kernels ? Packing::kWinograd : Packing::kOneDnn));
  const DtypeChoice bf16{Dtype::kF32, Dtype::kBF16, Dtype::kBF16};
  CHECK(pipeline_options(cell, at::kCPU, cpu(), bf16).packing ==
        (can_pack(at::kCPU, at::kBFloat16, cpu_has_bf16()) ? Packing::kOneDnn : Packing::kNone));
  cell.packed_weights = "auto";
  cell.memory_format = "contiguous"; // which packed convolutions do not know
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).packing == Packing::kNone);
  cell.packed_weights = "winograd"; // oneDNN's where the processor has nothing for ours
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).packing ==
        (cpu_instructions(at::kFloat) ? Packing::kWinograd : Packing::kOneDnn));
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).memory_format_unet ==
        at::MemoryFormat::ChannelsLast);
  cell.packed_weights = "off";
  cell.kv_cache = cell.time_cache = cell.shared_prefix = "off";
  cell.attention = "flash";
  PipelineOptions as_libtorch;
  as_libtorch.attention = Attention::kFlash;
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}) == as_libtorch);
  Cell plain;
  plain.engine = "plain";
  CHECK(pipeline_options(plain, at::kCPU, cpu(), {}) == PipelineOptions{});
  plain.kv_cache = "on"; // the same operators, fewer of them
  CHECK(pipeline_options(plain, at::kCPU, cpu(), {}).kv_cache);
}

TEST_CASE("the tuned engine keeps the memory that a step freed, unless it is asked not to") {
  const auto used = [](const char* engine, const char* asked) {
    Cell cell;
    cell.engine = engine;
    cell.host_allocator = asked;
    set_engine_switches(cell, cpu());
    return host_allocator_used();
  };
  CHECK(used("tuned", "auto") == "caching");
  CHECK(used("tuned", "system") == "system");
  CHECK(used("plain", "auto") == "system");
  CHECK(used("plain", "caching") == "caching");
  set_engine_switches(Cell{}, gpu("9.0"));
  CHECK(host_allocator_used() == "system");
}

TEST_CASE("TF32 is used from Ampere on, where some stage computes in fp32") {
  const DtypeChoice half{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const DtypeChoice half_but_vae{Dtype::kF16, Dtype::kF16, Dtype::kF32};
  const Precision autocast(Dtype::kF16, true);
  const std::pair<const char*, Tf32> ways[] = {{"on", Tf32::kAll}, {"conv", Tf32::kConvolutions}};
  for (const auto& [asked, used] : ways) {
    CHECK(tf32_used(gpu("8.0"), {}, asked) == used);
    CHECK(tf32_used(gpu("12.0"), half_but_vae, asked) == used);
    CHECK(tf32_used(gpu("8.6"), half, asked) == Tf32::kNone);
    CHECK(tf32_used(gpu("9.0"), {autocast, autocast, autocast}, asked) == Tf32::kNone);
    CHECK(tf32_used(gpu("7.5"), {}, asked) == Tf32::kNone);
    CHECK(tf32_used(cpu(), {}, asked) == Tf32::kNone);
  }
  CHECK(tf32_used(gpu("8.0"), {}, "off") == Tf32::kNone);
  CHECK(pipeline_options(Cell{}, at::kCPU, gpu("8.0"), {}).tf32 == Tf32::kNone);
}

TEST_CASE("libtorch's switches follow each cell, and stay off on a CPU") {
  struct Switches {
    bool benchmark, tf32_of_convolutions, tf32_of_products;
    bool operator==(const Switches&) const = default;
  };
  const auto set = [](const DeviceInfo& info, bool benchmark, const char* tf32) {
    Cell cell;
    cell.cudnn_benchmark = benchmark ? "on" : "off";
    cell.tf32 = tf32;
    set_engine_switches(cell, info);
    const at::Context& context = at::globalContext();
    return Switches{context.benchmarkCuDNN(), context.allowTF32CuDNN(), context.allowTF32CuBLAS()};
  };
  CHECK(set(gpu("8.0"), true, "on") == Switches{true, true, true});
  CHECK(set(gpu("8.0"), false, "conv") == Switches{false, true, false});
  CHECK(set(gpu("8.0"), false, "off") == Switches{false, false, false});
  CHECK(set(cpu(), true, "on") == Switches{false, false, false});
}

TEST_CASE("fp16 accumulation is libtorch's switch on a GPU, and stays off on a CPU") {
  Cell cell;
  const auto is_set = [&](const DeviceInfo& info) {
    set_engine_switches(cell, info);
    return at::globalContext().allowFP16AccumulationCuBLAS();
  };
  CHECK_FALSE(is_set(gpu("8.9")));
  cell.fp16_accumulation = "on";
  CHECK(is_set(gpu("8.9")));
  CHECK_FALSE(is_set(cpu()));
}

TEST_CASE("fp16 accumulation is part of a pipeline, so that no graph of other sums is replayed") {
  const DtypeChoice half{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const c10::Device cuda(c10::kCUDA, 0);
  Cell cell;
  const PipelineOptions sums_in_fp32 = pipeline_options(cell, cuda, gpu("8.9"), half);
  cell.fp16_accumulation = "on";
  const PipelineOptions sums_in_fp16 = pipeline_options(cell, cuda, gpu("8.9"), half);
  CHECK(sums_in_fp16.fp16_accumulation);
  CHECK_FALSE(sums_in_fp16 == sums_in_fp32);
}

TEST_CASE("a negative prompt without guidance is said to change nothing") {
  Cell cell;
  CellResult result;
  result.device = cpu();
  result.dtype_unet = Dtype::kF32;
  cell.negative_prompt = "";
  CHECK(options_without_effect(cell, result).empty());
  cell.guidance = 1;
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{
            "--negative-prompt changes nothing here: it needs --guidance above 1"});
  cell.guidance = 7.5;
  unet_of(cell.model).time_cond_proj_dim = 64;
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--negative-prompt changes nothing here: the guidance scale is an "
                                 "input of this model, so there is no second half"});
}

TEST_CASE("options that change nothing are named, each in a line") {
  Cell cell;
  CellResult result;
  result.device = cpu();
  result.dtype_unet = Dtype::kF32;
  result.vae_tiles = 1;
  result.use.tf32 = result.use.shared_prefix = result.use.graphs = "off";
  CHECK(options_without_effect(cell, result).empty());
  cell.tf32 = "on";
  cell.cudnn_benchmark = cell.vae_tiling = "on";
  cell.model.vae.sample_size = 512;
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{
            "--tf32 on changes nothing here: this device has no TF32",
            "--cudnn-benchmark on changes nothing here: a CPU has no cuDNN",
            "--vae-tiling changes nothing here: the image is no larger than a tile, 512 pixels"});
  result.device = gpu("8.0");
  result.vae_tiles = 4;
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--tf32 on changes nothing here: nothing computes in fp32"});
  cell.tf32 = "conv";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--tf32 conv changes nothing here: nothing computes in fp32"});
  result.use.tf32 = "conv";
  CHECK(options_without_effect(cell, result).empty());
  cell.graphs = "on";
  result.use.graphs_obstacle = "because";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--graphs on changes nothing here: because"});
  cell.graphs = "loop";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--graphs loop changes nothing here: because"});
  result.use.graphs = "on";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"--graphs loop is on here: because"});
  result.use.graphs = "off";
  cell.graphs = "auto";
  cell.kernels = "own";
  result.use.kernels_obstacle = "why";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"no CUDA graph is used: because",
                                 "--kernels own changes nothing here: why"});
  cell.kernels = "auto";
  result.use.graphs_obstacle.clear();
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"ATen's kernels are used: why"});
  result.device = gpu("9.0"); // whose tensor cores would have had images channels-last
  result.dtype_unet = Dtype::kF16;
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"ATen's kernels are used, and so images are contiguous: why"});
  cell.memory_format = result.use.memory_format = "contiguous";
  CHECK(options_without_effect(cell, result) ==
        std::vector<std::string>{"ATen's kernels are used: why"});
  cell.memory_format = "auto";
  result.use.kernels_obstacle.clear();
  CHECK(options_without_effect(cell, result).empty());
  cell.shared_prefix = "on";
  for (const auto& [guidance, reason] : {std::pair(1.0, "without guidance there is no second half"),
                                         std::pair(5.0, "time embedding")}) {
    cell.guidance = guidance;
    REQUIRE(options_without_effect(cell, result).size() == 1);
    CHECK_THAT(options_without_effect(cell, result).front(),
               Catch::Matchers::ContainsSubstring(reason));
  }
}

TEST_CASE("packed weights that are another's, or none, are named with the reason") {
  const auto note_of = [](const char* asked, const char* used) {
    Cell cell;
    cell.packed_weights = asked;
    CellResult result;
    result.device = cpu();
    result.dtype_unet = Dtype::kF32;
    result.use.packed_weights = used;
    const std::vector<std::string> notes = options_without_effect(cell, result);
    REQUIRE(notes.size() <= 1);
    return notes.empty() ? std::string() : notes.front();
  };
  CHECK(note_of("auto", "off").empty());
  CHECK(note_of("auto", "onednn").empty());
  CHECK(note_of("onednn", "onednn").empty());
  CHECK(note_of("winograd", "winograd").empty());
  CHECK(note_of("winograd", "off") ==
        "--packed-weights winograd changes nothing here: it is for fp32 without autocast, on a CPU "
        "that oneDNN knows");
  CHECK(note_of("onednn", "off") ==
        "--packed-weights onednn changes nothing here: it is for fp32 and bf16 without autocast, "
        "on a CPU that oneDNN knows");
  CHECK(note_of("winograd", "onednn") ==
        "--packed-weights winograd is onednn here: it is for fp32, on a processor with AVX2 "
        "or AVX-512");
}

TEST_CASE("guidance's halves share a prefix unless the model's time embedding holds the text") {
  Cell cell;
  cell.shared_prefix = "on";
  cell.model = find_model_config("sd21");
  CHECK(pipeline_options(cell, at::kCPU, cpu(), {}).shared_prefix);
  cell.model = find_model_config("sdxl");
  CHECK_FALSE(pipeline_options(cell, at::kCPU, cpu(), {}).shared_prefix);
}
