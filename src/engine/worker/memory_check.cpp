#include "sdbench/engine/worker/memory_check.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/device_choice.h"

namespace sdbench {
namespace {

/// Weights of the components of one role, which one stage needs.
std::int64_t stage_bytes(const ModelConfig& config, ComponentRole role, const StageDtype& dtype) {
  std::int64_t bytes = 0;
  for (const Component component : components_of(config)) {
    if (component_row(component).role == role) {
      bytes += byte_count(
          component_tensors(config, component, to_dtype(dtype.weights), VaeParts::kDecoder));
    }
  }
  return bytes;
}

std::int64_t unet_bytes(const Cell& cell, const PipelineOptions& options,
                        std::span<const std::string> attention) {
  return denoising_bytes(cell, c10::elementSize(options.dtype_unet.weights), attention);
}

std::int64_t vae_bytes(const Cell& cell, const PipelineOptions& options) {
  return working_bytes(cell.model.vae, options, cell.width, cell.height, cell.batch);
}

/// Bytes of the synthetic batch that the host makes for iterations without a data set. Counts a
/// shared batch as a whole, because the device with the last part also makes all parts before it.
std::int64_t made_up_bytes(const Cell& cell, Precision precision) {
  const NetworkConfig& network = cell.model.network.value();
  return cell.epochs > 0 ? 0
                         : whole_batch(cell) * network.input_channels * network.image_size *
                               network.image_size *
                               static_cast<std::int64_t>(size_of(precision.weight_dtype()));
}

std::int64_t bytes_on_device(const Cell& cell, const PipelineOptions& options,
                             std::span<const std::string> attention) {
  return weight_bytes(cell.model, options) +
         std::max(unet_bytes(cell, options, attention), vae_bytes(cell, options));
}

} // namespace

std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options) {
  std::int64_t all = 0;
  std::int64_t largest_copies = 0;
  std::int64_t largest_with_copies = 0;
  const std::pair<ComponentRole, StageDtype> stages[] = {
      {ComponentRole::kText, options.dtype_text},
      {ComponentRole::kDenoiser, options.dtype_unet},
      {ComponentRole::kVae, options.dtype_vae}};
  for (const auto& [role, dtype] : stages) {
    const std::int64_t bytes = stage_bytes(config, role, dtype);
    const std::int64_t copies = dtype.autocast ? bytes / 2 : 0; // fp32 -> 16 bits
    all += bytes;
    largest_copies = std::max(largest_copies, copies);
    largest_with_copies = std::max(largest_with_copies, bytes + copies);
  }
  return options.offload == Offload::kStages ? largest_with_copies : all + largest_copies;
}

std::int64_t working_bytes(const VaeConfig& vae, const PipelineOptions& options, std::int64_t width,
                           std::int64_t height, std::int64_t batch) {
  return decoding_bytes(vae, c10::elementSize(options.dtype_vae.weights), width, height, batch,
                        options.vae_tiling, options.most_decoded);
}

void require_memory(std::int64_t needed, std::int64_t available, at::Device device, Task task,
                    std::int64_t libraries) {
  if (needed <= available) {
    return;
  }
  const bool gpu = device.is_cuda();
  throw CellFailure(
      gpu ? Status::kOomDevice : Status::kOomHost,
      (gpu ? device.str() : std::string("the host")) + " must have about " +
          bytes_text(needed + libraries) +
          (gpu ? " of memory for this model and size (free, or held by this worker), but has "
               : " of free memory for this model and size, but has ") +
          bytes_text(available) + "; " + memory_advice(task));
}

MemoryForCell memory_for_cell(c10::Device device, bool has_computed) {
  const std::int64_t host = free_memory_bytes(at::kCPU);
  return device.is_cuda()
             ? MemoryForCell{free_memory_bytes(device) + cuda_memory_held_bytes(device.index()),
                             host, has_computed ? 0 : kCudaLibraryBytes}
             : MemoryForCell{host, host};
}

void require_memory_for_cell(const Cell& cell, const PipelineOptions& options,
                             const MemoryForCell& memory, bool has_weights,
                             std::span<const std::string> attention) {
  const std::int64_t needed = bytes_on_device(cell, options, attention);
  const std::int64_t kept = kept_bytes(cell);
  if (options.device.is_cpu()) {
    const std::int64_t there = has_weights ? weight_bytes(cell.model, options) : 0;
    require_memory(needed - there + kept, memory.host_bytes, options.device, cell.task);
  } else { // images are kept on the host
    require_memory(needed, memory.device_bytes, options.device, cell.task, memory.library_bytes);
    require_memory(kept, memory.host_bytes, at::kCPU, cell.task);
  }
}

void require_memory_for_network(const Cell& cell, Precision precision, at::Device device,
                                const MemoryForCell& memory) {
  const std::int64_t weights = network_bytes(cell, precision);
  if (device.is_cuda()) {
    require_memory(weights, memory.device_bytes, device, cell.task);
    require_memory(made_up_bytes(cell, precision), memory.host_bytes, at::kCPU, cell.task);
    return;
  }
  constexpr std::int64_t kSurePart = 2; // a half: measured peaks were at least 3/4 of the estimate
  require_memory(weights + network_working_bytes(cell, precision) / kSurePart, memory.host_bytes,
                 device, cell.task);
}

std::string tight_memory_note(const Cell& cell, const PipelineOptions& options,
                              const MemoryForCell& memory, std::span<const std::string> attention) {
  const std::int64_t needed = bytes_on_device(cell, options, attention) + memory.library_bytes;
  if (options.device.is_cpu() || needed <= memory.device_bytes) {
    return {};
  }
  return options.device.str() + " has " + bytes_text(memory.device_bytes) +
         " of memory (free, or held by this worker), and this model and size take about " +
         bytes_text(needed) +
         " with CUDA's libraries: it may run out; --offload stages and --vae-tiling take less";
}

bool has_room_for_graph(const Cell& cell, const PipelineOptions& options,
                        const MemoryForCell& memory, std::span<const std::string> attention) {
  const std::int64_t working = unet_bytes(cell, options, attention) + vae_bytes(cell, options);
  return weight_bytes(cell.model, options) + working + memory.library_bytes <= memory.device_bytes;
}

} // namespace sdbench
