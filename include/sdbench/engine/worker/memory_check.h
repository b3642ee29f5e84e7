#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Largest number of bytes that weights take on the device at one time. Without offload, these are
/// the weights of all stages; with offload, those of the largest stage. Autocast adds its
/// lower-precision copies of the largest stage's weights.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// Estimated bytes of the VAE's largest activations. They occur in the VAE's last blocks, at the
/// full size of the image or of a tile.
[[nodiscard]] std::int64_t working_bytes(const VaeConfig& vae, const PipelineOptions& options,
                                         std::int64_t width, std::int64_t height,
                                         std::int64_t batch);

/// Throws CellFailure (oom_host or oom_device) if `needed` exceeds `available`, both in bytes. The
/// message has both figures, and advice on which options of `task` reduce memory use. `libraries`:
/// estimated bytes for CUDA's libraries, added to `needed` only in the message.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device, Task task,
                    std::int64_t libraries = 0);

/// Memory that a cell may take, in bytes.
struct MemoryForCell {
  std::int64_t device_bytes = 0; ///< free memory; on a GPU, plus all that libtorch has reserved
  std::int64_t host_bytes = 0;   ///< free memory of the host
  /// Estimate of the part of device_bytes that CUDA's libraries will need.
  std::int64_t library_bytes = 0;
};

/// The memory that a cell may take now. On a GPU this includes memory that libtorch holds: this
/// cell's weights, freed memory of earlier cells, or an earlier graph that will be replaced.
/// `has_computed`: true if this process has computed on its device, so that CUDA's libraries
/// already have their memory.
[[nodiscard]] MemoryForCell memory_for_cell(c10::Device device, bool has_computed);

/// Throws CellFailure (oom_host or oom_device) if the cell cannot fit into `memory`. Does not count
/// CUDA's libraries, whose size is not known in advance. `has_weights`: true if the weights are
/// already loaded, so that on a CPU, `memory` need not hold them again. `attention`: the kernel at
/// each resolution level, from level_attention(). Empty: the requested kernel at all levels.
void require_memory_for_cell(const Cell& cell, const PipelineOptions& options,
                             const MemoryForCell& memory, bool has_weights,
                             std::span<const std::string> attention = {});

/// Like require_memory_for_cell(), but for an image classifier. Call it before the network is
/// loaded. Counts weights, gradients and momentum. Activations need not be counted on a GPU: if
/// they do not fit, the allocator reports it. On a CPU, the operating system grants memory that it
/// does not have, and later kills the process; half of the activations' estimated memory must
/// therefore also be free.
void require_memory_for_network(const Cell& cell, Precision precision, at::Device device,
                                const MemoryForCell& memory);

/// A warning in one line if a GPU's memory may not suffice for the cell and CUDA's libraries
/// together; else empty.
[[nodiscard]] std::string tight_memory_note(const Cell& cell, const PipelineOptions& options,
                                            const MemoryForCell& memory,
                                            std::span<const std::string> attention = {});

/// True if a GPU with this memory has room for the weights, a graph, the VAE and CUDA's libraries
/// at the same time. A graph keeps the memory of the UNet's activations.
[[nodiscard]] bool has_room_for_graph(const Cell& cell, const PipelineOptions& options,
                                      const MemoryForCell& memory,
                                      std::span<const std::string> attention = {});

} // namespace sdbench
