#include "sdbench/engine/worker/engine_axis_choice.h"

#include <cstdint>
#include <utility>

#include <ATen/Context.h>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/text/named.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/worker/device_choice.h"

namespace sdbench {
namespace {

/// In the tuned engine, "auto" means our own kernel if there is one for the UNet. Otherwise it
/// means libtorch's choice.
Attention attention_of(const Cell& cell, c10::Device device, const StageDtype& unet) {
  const Attention attention = attention_from_name(cell.attention).value();
  const bool own = attention == Attention::kAuto && cell.engine == kTunedEngine &&
                   own_attention(device, unet.arithmetic());
  return own ? Attention::kOwn : attention;
}

/// True if products over blocks of queries are expected to be faster than "efficient" attention for
/// a wide head, and libtorch can compute them.
bool blocks_are_fast(const StageDtype& vae, const DeviceInfo& info) {
  if (vae.weights == at::kFloat) {
    return !vae.autocast && !has_bf16(info);
  }
  return vae.weights != at::kBFloat16 || has_bf16(info);
}

/// The VAE has one head of width 512. Among the kernels a user can choose, only our own beats
/// libtorch's choice there. On a GPU, libtorch chooses "efficient", whose variant for such wide
/// heads keeps its sums in global memory. Products over blocks of queries are faster in 16 bits:
/// they reach the rate of the tensor cores. Before Ampere the blocks are used in fp32, too: SDXL's
/// VAE runs in fp32 there, and "efficient" has no tensor cores for it (not measured). The blocks
/// also stand in for kernels that cannot compute such wide heads, so that the choice of the UNet's
/// kernel does not change the decoding.
Attention vae_attention_of(const Cell& cell, c10::Device device, const DeviceInfo& info,
                           const StageDtype& vae, Attention of_unet) {
  if (of_unet == Attention::kOwn) {
    return of_unet;
  }
  const bool is_open =
      of_unet == Attention::kAuto || of_unet == Attention::kFlash || of_unet == Attention::kCudnn;
  const bool by_blocks =
      is_open && cell.engine == kTunedEngine && device.is_cuda() && blocks_are_fast(vae, info);
  return by_blocks ? Attention::kBlocked : Attention::kAuto;
}

/// True if the user asks for `value` by name, or asks for "auto" and `automatic` is true.
bool wants(const std::string& asked, const char* value, bool automatic) {
  return asked == "auto" ? automatic : asked == value;
}

/// Channels-last is faster only on tensor cores, which we use only for 16-bit types. Without them
/// it makes cuDNN slower: SDXL's VAE runs in fp32 after a UNet in fp16 on a GPU without bf16.
bool gpu_wants_channels_last(const DeviceInfo& info, Dtype dtype) {
  return has_tensor_cores(info) && dtype != Dtype::kF32;
}

/// The UNet's memory format, followed by the VAE's if that differs.
std::string memory_format_used(const PipelineOptions& options) {
  const auto name = [](at::MemoryFormat format) -> std::string {
    return format == at::MemoryFormat::ChannelsLast ? "channels-last" : "contiguous";
  };
  const std::string unet = name(options.memory_format_unet);
  const std::string vae = name(options.memory_format_vae);
  return unet == vae ? unet : unet + "+" + vae;
}

/// Fewest pixels in one UNet call, all its images together, for which Winograd's form pays. With
/// fewer, the work before the first product of each call costs more than the form saves. For
/// networks it paid at every size that was measured (benchmarks/records).
constexpr std::int64_t kLeastWinogradPixels = 2 * 2 * 128 * 128;

/// The packing that was fastest when all were measured (docs/performance.md). None if the user asks
/// for contiguous images, because packed weights need channels-last.
Packing fastest_packing(const Cell& cell) {
  if (cell.engine != kTunedEngine || cell.memory_format == "contiguous") {
    return Packing::kNone;
  }
  const bool is_small = cell.task == Task::kGenerate &&
                        unet_batch(cell) * cell.width * cell.height < kLeastWinogradPixels;
  return is_small ? Packing::kOneDnn : Packing::kWinograd;
}

Packing wanted_packing(const Cell& cell) {
  return value_named(kPackings, cell.packed_weights).value_or(fastest_packing(cell)); // "auto"
}

bool wants_caching(const Cell& cell, bool on_gpu) {
  return wants(cell.host_allocator, "caching", cell.engine == kTunedEngine && !on_gpu);
}

Tf32 tf32_of(const Cell& cell) {
  if (cell.tf32 == "conv") {
    return Tf32::kConvolutions;
  }
  return cell.tf32 == "on" ? Tf32::kAll : Tf32::kNone;
}

bool is_plain_fp32(const Precision& precision) {
  return precision == Dtype::kF32;
}

std::string on_or_off(bool is_on) {
  return is_on ? "on" : "off";
}

/// Why weights that were to be packed for Winograd's form are packed for oneDNN's.
std::string onednn_reason(at::ScalarType dtype) {
  return dtype == at::kFloat && !limit_on(dtype).empty()
             ? no_instructions_text(dtype)
             : "it is for fp32, on a processor with AVX2 or AVX-512";
}

// One function for each option that may be without effect, in the order of the notes. Each returns
// the note, or nothing.

constexpr const char* kGuidanceIsAnInput =
    "the guidance scale is an input of this model, so there is no second half";

std::string negative_prompt_note(const Cell& cell, const CellResult& /*result*/) {
  if (!cell.negative_prompt || is_guided(cell)) {
    return "";
  }
  return std::string("--negative-prompt changes nothing here: ") +
         (cell.guidance > 1 ? kGuidanceIsAnInput : "it needs --guidance above 1");
}

std::string tf32_note(const Cell& cell, const CellResult& result) {
  if (cell.tf32 == "off" || result.use.tf32 != "off") {
    return "";
  }
  return "--tf32 " + cell.tf32 + " changes nothing here: " +
         (has_tf32(result.device) ? "nothing computes in fp32" : "this device has no TF32");
}

std::string cudnn_benchmark_note(const Cell& cell, const CellResult& result) {
  return cell.cudnn_benchmark == "on" && is_cpu(result.device.kind)
             ? "--cudnn-benchmark on changes nothing here: a CPU has no cuDNN"
             : "";
}

std::string memory_format_note(const Cell& cell, const CellResult& result) {
  return cell.memory_format == "contiguous" && result.use.memory_format != "contiguous"
             ? "--memory-format contiguous changes nothing here: --packed-weights " +
                   cell.packed_weights + " takes images channels-last"
             : "";
}

std::string group_norm_note(const Cell& cell, const CellResult& result) {
  return cell.kernels == "own" && result.use.kernels == "own" && // a GPU has other kernels of ours
                 result.use.memory_format == "contiguous"
             ? "ATen computes group norm here: --kernels own computes it only for channels-last "
               "images"
             : "";
}

std::string packed_weights_note(const Cell& cell, const CellResult& result) {
  const std::string& used = result.use.packed_weights;
  const bool packs = cell.packed_weights != "auto" && cell.packed_weights != "off";
  if (packs && used == "off") {
    return "--packed-weights " + cell.packed_weights + " changes nothing here: it is for " +
           (cell.packed_weights == "winograd" ? "fp32" : "fp32 and bf16") +
           " without autocast, on a CPU that oneDNN knows";
  }
  return cell.packed_weights == "winograd" && used == "onednn"
             ? "--packed-weights winograd is onednn here: " +
                   onednn_reason(to_scalar_type(result.dtype_unet.value().dtype))
             : "";
}

std::string shared_prefix_note(const Cell& cell, const CellResult& result) {
  if (cell.shared_prefix != "on" || result.use.shared_prefix != "off") {
    return "";
  }
  return std::string("--shared-prefix on changes nothing here: ") +
         (is_guided(cell)     ? "this model's time embedding holds the text, so guidance's halves "
                                "differ from the start"
          : cell.guidance > 1 ? kGuidanceIsAnInput
                              : "without guidance there is no second half");
}

std::string graphs_note(const Cell& cell, const CellResult& result) {
  const EngineUse& use = result.use;
  if (use.graphs_obstacle.empty()) {
    return "";
  }
  return (cell.graphs == "auto" ? "no CUDA graph is used: "
          : use.graphs != "off" ? "--graphs " + cell.graphs + " is " + use.graphs + " here: "
                                : "--graphs " + cell.graphs + " changes nothing here: ") +
         use.graphs_obstacle;
}

std::string kernels_note(const Cell& cell, const CellResult& result) {
  // No note for fp16 or autocast on a CPU: no such kernels exist.
  const Precision unet = result.dtype_unet.value();
  const bool is_news = !is_cpu(result.device.kind) || (unet.dtype != Dtype::kF16 && !unet.autocast);
  if (result.use.kernels_obstacle.empty() || (cell.kernels != "own" && !is_news)) {
    return "";
  }
  const bool costs_format = cell.memory_format == "auto" && cell.engine == kTunedEngine &&
                            gpu_wants_channels_last(result.device, unet.dtype);
  return (cell.kernels == "own" ? "--kernels own changes nothing here"
                                : "ATen's kernels are used") +
         std::string(costs_format ? ", and so images are contiguous: " : ": ") +
         result.use.kernels_obstacle;
}

std::string vae_tiling_note(const Cell& cell, const CellResult& result) {
  return cell.vae_tiling == "on" && result.vae_tiles == 1
             ? "--vae-tiling changes nothing here: the image is no larger than a tile, " +
                   std::to_string(cell.model.vae.sample_size) + " pixels"
             : "";
}

constexpr std::string (*kNotes[])(const Cell& cell, const CellResult& result) = {
    negative_prompt_note, tf32_note,           cudnn_benchmark_note, memory_format_note,
    group_norm_note,      packed_weights_note, shared_prefix_note,   graphs_note,
    kernels_note,         vae_tiling_note};

} // namespace

Packing packing_of(const Cell& cell, c10::Device device, const DeviceInfo& info,
                   const Precision& precision) {
  const Packing wanted = wanted_packing(cell);
  const at::ScalarType dtype = to_scalar_type(precision.dtype);
  if (wanted == Packing::kNone || precision.autocast || !can_pack(device, dtype, has_bf16(info))) {
    return Packing::kNone;
  }
  return possible_packing(wanted, dtype);
}

at::MemoryFormat memory_format_of(const Cell& cell, c10::Device device, const DeviceInfo& info,
                                  Dtype dtype, bool gpu_keeps_it) {
  const bool suits_gpu = gpu_keeps_it && gpu_wants_channels_last(info, dtype);
  return wants(cell.memory_format, "channels-last",
               cell.engine == kTunedEngine && (device.is_cpu() || suits_gpu))
             ? at::MemoryFormat::ChannelsLast
             : at::MemoryFormat::Contiguous;
}

PipelineOptions pipeline_options(const Cell& cell, c10::Device device, const DeviceInfo& info,
                                 const DtypeChoice& dtypes, const EngineChoices& choices) {
  PipelineOptions options;
  options.device = device;
  options.dtype_text = StageDtype(dtypes.text);
  options.dtype_unet = StageDtype(dtypes.unet);
  options.dtype_vae = StageDtype(dtypes.vae);
  options.attention = attention_of(cell, device, options.dtype_unet);
  options.attention_vae =
      vae_attention_of(cell, device, info, options.dtype_vae, options.attention);
  options.memory_format_unet =
      memory_format_of(cell, device, info, dtypes.unet.dtype, choices.kernels.used);
  options.memory_format_vae =
      memory_format_of(cell, device, info, dtypes.vae.dtype, choices.kernels.used);
  // The other stages' weights are packed where the UNet's are.
  options.packing = packing_of(cell, device, info, dtypes.unet);
  if (options.packing != Packing::kNone) {
    options.memory_format_unet = options.memory_format_vae = at::MemoryFormat::ChannelsLast;
  }
  const bool tuned = cell.engine == kTunedEngine;
  options.kv_cache = wants(cell.kv_cache, "on", tuned);
  options.time_cache = wants(cell.time_cache, "on", tuned);
  options.shared_prefix =
      wants(cell.shared_prefix, "on", tuned) && !family_of(cell.model.pipeline).takes_text_time;
  options.own_kernels = choices.kernels.used;
  options.graphs = choices.graphs.used;
  if (cell.offload == "stages") {
    options.offload = Offload::kStages;
  }
  options.vae_tiling = cell.vae_tiling == "on";
  options.fp16_accumulation = cell.fp16_accumulation == "on";
  if (device.is_cuda()) {
    options.most_decoded = kMostDecodedOnGpu;
  }
  const Tf32 tf32 = tf32_of(cell);
  if (has_tf32(info) &&
      (is_plain_fp32(dtypes.text) || is_plain_fp32(dtypes.unet) || is_plain_fp32(dtypes.vae))) {
    options.tf32 = tf32;
  }
  return options;
}

ChosenOptions choose_pipeline_options(const Cell& cell, c10::Device device, const DeviceInfo& info,
                                      const DtypeChoice& dtypes) {
  EngineChoices choices{choose_kernels(cell, device, dtypes), choose_graphs(cell, device, dtypes)};
  PipelineOptions options = pipeline_options(cell, device, info, dtypes, choices);
  if (options.own_kernels && device.is_cpu() &&
      options.memory_format_unet == at::MemoryFormat::Contiguous) {
    options.own_kernels = false;
    choices.kernels = {.obstacle = "they are for images channels-last"};
  }
  return {options, choices};
}

void record_engine(const Cell& cell, const PipelineOptions& options, const DtypeChoice& dtypes,
                   const EngineChoices& choices, CellResult& result) {
  result.engine = cell.engine;
  result.engine_revision = engine_revision(cell.engine);
  result.dtype_text = dtypes.text;
  result.dtype_unet = dtypes.unet;
  result.dtype_vae = dtypes.vae;
  EngineUse& use = result.use;
  use.memory_format = memory_format_used(options);
  use.packed_weights = name_in(kPackings, options.packing);
  use.host_allocator = host_allocator_used();
  use.kv_cache = on_or_off(options.kv_cache);
  use.time_cache = on_or_off(options.time_cache);
  use.shared_prefix = on_or_off(options.shared_prefix && is_guided(cell));
  use.graphs = name_of(options.graphs);
  use.graphs_obstacle = choices.graphs.obstacle;
  use.kernels = options.own_kernels ? "own" : "aten";
  use.kernels_obstacle = choices.kernels.obstacle;
  use.tf32 = options.tf32 == Tf32::kNone ? "off" : cell.tf32;
}

void set_engine_switches(const Cell& cell, const DeviceInfo& device) {
  // Set for each cell, because a worker computes many. On a CPU the switches must stay off: there
  // they have another meaning (oneDNN's).
  const bool on_gpu = is_gpu_of_torch(device.kind);
  const Tf32 tf32 = on_gpu ? tf32_of(cell) : Tf32::kNone;
  at::Context& context = at::globalContext();
  context.setAllowTF32CuDNN(tf32 != Tf32::kNone);
  context.setAllowTF32CuBLAS(tf32 == Tf32::kAll);
  context.setAllowFP16AccumulationCuBLAS(cell.fp16_accumulation == "on" && on_gpu);
  context.setBenchmarkCuDNN(cell.cudnn_benchmark == "on" && on_gpu);
  set_host_allocator(wants_caching(cell, on_gpu) ? HostAllocator::kCaching
                                                 : HostAllocator::kSystem);
}

std::vector<std::string> options_without_effect(const Cell& cell, const CellResult& result) {
  std::vector<std::string> notes;
  for (const auto note_of : kNotes) {
    if (std::string note = note_of(cell, result); !note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

} // namespace sdbench
