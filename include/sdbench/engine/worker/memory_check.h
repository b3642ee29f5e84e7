#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Most bytes of weights that the device holds at a time: of all stages, or with offload of the
/// largest, and for autocast also the largest stage's copies in the lower precision.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// About what the largest intermediate results take: those of the VAE's last blocks, at the full
/// size of the image, or of a tile.
[[nodiscard]] std::int64_t working_bytes(const VaeConfig& vae, const PipelineOptions& options,
                                         std::int64_t width, std::int64_t height,
                                         std::int64_t batch);

/// Throws CellFailure (oom_host or oom_device) with both figures, and what takes less in `task`, if
/// `needed` is more than `available`. `libraries`: what the figure has in it besides.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device, Task task,
                    std::int64_t libraries = 0);

/// Memory that a cell may take.
struct MemoryForCell {
  std::int64_t device_bytes = 0; ///< of a GPU: free, or held by libtorch already
  std::int64_t host_bytes = 0;   ///< free
  /// The part of device_bytes that CUDA's libraries will take, estimated.
  std::int64_t library_bytes = 0;
};

/// Now. What libtorch holds on a GPU is this cell's weights, or what cells before it left: freed
/// memory, a graph that gives way to this cell's. `has_computed`: this process has, so CUDA's
/// libraries have their memory.
[[nodiscard]] MemoryForCell memory_for_cell(c10::Device device, bool has_computed);

/// Throws CellFailure (oom_host or oom_device) if the cell cannot fit into `memory`. Ignores CUDA's
/// libraries, whose size is not known in advance. `has_weights`: an earlier cell left the weights
/// on the device; a CPU then needs that much less free memory. `attention`: the answer of
/// level_attention(); empty: the cell's own setting.
void require_memory_for_cell(const Cell& cell, const PipelineOptions& options,
                             const MemoryForCell& memory, bool has_weights,
                             std::span<const std::string> attention = {});

/// The same of a network's cell, before it is loaded: weights, gradients, momentum. A GPU's
/// allocator refuses what else is too much. A CPU's system gives memory that is not there and kills
/// later, so half of what the batch's results take, about, must be there, too.
void require_memory_for_network(const Cell& cell, Precision precision, at::Device device,
                                const MemoryForCell& memory);

/// One line for a cell that may run out of memory once CUDA's libraries take theirs; else empty.
[[nodiscard]] std::string tight_memory_note(const Cell& cell, const PipelineOptions& options,
                                            const MemoryForCell& memory,
                                            std::span<const std::string> attention = {});

/// True if a GPU with this memory has room for a graph as well as for the VAE and CUDA's libraries.
/// A graph keeps the UNet's intermediate results.
[[nodiscard]] bool has_room_for_graph(const Cell& cell, const PipelineOptions& options,
                                      const MemoryForCell& memory,
                                      std::span<const std::string> attention = {});

} // namespace sdbench
