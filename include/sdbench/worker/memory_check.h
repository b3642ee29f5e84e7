#pragma once

#include <cstdint>
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

/// Throws CellFailure, likewise, if the cell will not fit. `is_on_device`: the weights are there
/// from a cell before. On a GPU all that libtorch holds is this cell's to have.
void require_memory_for_cell(const Cell& cell, const PipelineOptions& options, bool is_on_device);

/// Whether the GPU has room for a graph, which keeps the UNet's intermediate results, beside what
/// the VAE then takes.
[[nodiscard]] bool has_room_for_graph(const Cell& cell, const PipelineOptions& options);

} // namespace sdbench
