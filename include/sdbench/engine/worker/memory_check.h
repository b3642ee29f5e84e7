#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Most bytes of weights on the device at a time: of all stages, or with offload of the largest.
/// With autocast, also the largest stage's copies in the lower precision.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// Estimated bytes of the largest intermediate results: those of the VAE's last blocks, at the full
/// size of the image or of a tile.
[[nodiscard]] std::int64_t working_bytes(const VaeConfig& vae, const PipelineOptions& options,
                                         std::int64_t width, std::int64_t height,
                                         std::int64_t batch);

/// Throws CellFailure (oom_host or oom_device) if `needed` exceeds `available`. The message has
/// both figures, and advice on what needs less in `task`. It adds `libraries`, bytes for CUDA's
/// libraries, to `needed`.
/// is estimated for CUDA's libraries.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device, Task task,
                    std::int64_t libraries = 0);

/// Memory that a cell may take.
struct MemoryForCell {
  std::int64_t device_bytes = 0; ///< on a GPU: free, or already held by libtorch
  std::int64_t host_bytes = 0;   ///< free
  /// The part of device_bytes that CUDA's libraries will need, estimated.
  std::int64_t library_bytes = 0;
};

/// The memory that a cell may take now. On a GPU, what libtorch holds is either this cell's weights
/// or left by earlier cells: freed memory, or a graph that will be replaced. `has_computed`: true
/// if this process has computed, so that CUDA's libraries have their memory already.
[[nodiscard]] MemoryForCell memory_for_cell(c10::Device device, bool has_computed);

/// Throws CellFailure (oom_host or oom_device) if the cell cannot fit into `memory`. Ignores CUDA's
/// libraries, whose size is not known in advance. `has_weights`: an earlier cell left the weights
/// on the device; a CPU then needs that much less free memory. `attention`: result of
/// level_attention(); empty for the cell's own setting.
void require_memory_for_cell(const Cell& cell, const PipelineOptions& options,
                             const MemoryForCell& memory, bool has_weights,
                             std::span<const std::string> attention = {});

/// The same for a network's cell, before it is loaded: weights, gradients, momentum. A GPU's
/// allocator refuses anything beyond that. But a CPU's system promises memory that does not exist
/// and kills the process later, so about half of the memory for the batch's results must be free,
/// too.
void require_memory_for_network(const Cell& cell, Precision precision, at::Device device,
                                const MemoryForCell& memory);

/// One line for a cell that may run out of memory once CUDA's libraries take theirs; else empty.
[[nodiscard]] std::string tight_memory_note(const Cell& cell, const PipelineOptions& options,
                                            const MemoryForCell& memory,
                                            std::span<const std::string> attention = {});

/// True if a GPU with this memory has room for a graph, the VAE and CUDA's libraries together. A
/// graph keeps the UNet's intermediate results.
[[nodiscard]] bool has_room_for_graph(const Cell& cell, const PipelineOptions& options,
                                      const MemoryForCell& memory,
                                      std::span<const std::string> attention = {});

} // namespace sdbench
