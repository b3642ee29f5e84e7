#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sdbench/config/model_config.h"
#include "sdbench/core/precision.h"
#include "sdbench/plan/cell.h"

namespace sdbench {

/// Most bytes of weights that are held at a time, all stages in one precision: of the whole model,
/// or with offload of the largest stage; with autocast also that stage's copies in 16 bits.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& model, Precision precision,
                                        bool offload = false);

/// About what the largest intermediate results take: those of the VAE's last blocks, at full image
/// size, or with tiling at a tile's.
[[nodiscard]] std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element,
                                          std::int64_t width, std::int64_t height,
                                          std::int64_t batch, bool tiling = false);

/// About what the UNet's largest intermediate results take: the skip connections, a level's
/// feed-forward or, where a kernel makes them (math, sliced), its attention scores, and what
/// --kv-cache and --time-cache hold. `attention`: the kernel of each level as the device has it,
/// from the finest down (a GPU's own choice may be math); where none is given, as asked for.
[[nodiscard]] std::int64_t denoising_bytes(const Cell& cell, std::size_t bytes_per_element,
                                           std::span<const std::string> attention = {});

/// Images and latents of a cell that are kept on the host until its end.
[[nodiscard]] std::int64_t kept_bytes(const Cell& cell);

} // namespace sdbench
