#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sdbench/pipeline/stable_diffusion.h"
#include "sdbench/plan/cell.h"

namespace sdbench {

/// Most bytes of weights that the device holds at a time: of all stages, or with offload of the
/// largest, and for autocast also the largest stage's copies in the lower precision.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options);

/// About what the largest intermediate results take: those of the VAE's last blocks, at the full
/// size of the image, or of a tile.
[[nodiscard]] std::int64_t working_bytes(const VaeConfig& vae, const PipelineOptions& options,
                                         std::int64_t width, std::int64_t height,
                                         std::int64_t batch);

/// Bytes as "23.5 GiB".
[[nodiscard]] std::string gib_text(std::int64_t bytes);

/// Throws CellFailure (oom_host or oom_device) with both figures if `needed` is more than
/// `available`.
void require_memory(std::int64_t needed, std::int64_t available, at::Device device);

/// What a cell may have.
struct MemoryForCell {
  std::int64_t device_bytes = 0; ///< of a GPU: free, or held by libtorch already
  std::int64_t host_bytes = 0;   ///< free
};

/// Now. What libtorch holds on a GPU is this cell's weights, or what cells before it left: freed
/// memory, a graph that gives way to this cell's.
[[nodiscard]] MemoryForCell memory_for_cell(c10::Device device);

/// Throws CellFailure, likewise, if the cell will not fit into `memory`. `has_weights`: they are on
/// the device from a cell before, which on a CPU leaves that much less to be found. `attention`: as
/// level_attention() answers; none: as asked for.
void require_memory_for_cell(const Cell& cell, const PipelineOptions& options,
                             const MemoryForCell& memory, bool has_weights,
                             std::span<const std::string> attention = {});

/// Whether so much of a GPU has room for a graph, which keeps the UNet's intermediate results,
/// beside what the VAE then takes.
[[nodiscard]] bool has_room_for_graph(const Cell& cell, const PipelineOptions& options,
                                      std::int64_t device_bytes,
                                      std::span<const std::string> attention = {});

} // namespace sdbench
