#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task.h"

namespace sdbench {

/// Most bytes of weights held at a time, with all stages in one precision: the whole model's, or
/// with offload the largest stage's. With autocast also that stage's 16-bit copies.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& model, Precision precision,
                                        bool offload = false);

/// Approximate bytes of the largest intermediate results: those of the VAE's last blocks. They have
/// full image size, or with tiling a tile's size, for all images that are decoded at once
/// (images_decoded_at_once with `most`).
[[nodiscard]] std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element,
                                          std::int64_t width, std::int64_t height,
                                          std::int64_t batch, bool tiling = false,
                                          std::optional<std::int64_t> most = {});

/// Approximate bytes of the UNet's largest intermediate results: the skip connections, a level's
/// feed-forward or, if a kernel makes them (math, sliced), its attention scores, and the contents
/// of --kv-cache and --time-cache. `attention`: the device's kernel for each level, from the finest
/// down (a GPU may choose math); empty: the requested kernel.
[[nodiscard]] std::int64_t denoising_bytes(const Cell& cell, std::size_t bytes_per_element,
                                           std::span<const std::string> attention = {});

/// Bytes that a network's cell certainly needs on its device: weights, in training a gradient each,
/// and with the optimiser's step its momentum. Activations come in addition.
[[nodiscard]] std::int64_t network_bytes(const Cell& cell, Precision precision);

/// Approximate bytes of a network's intermediate results for a batch: those of its largest layer,
/// and in training those that the backward pass needs. Workspaces of libtorch's convolutions are
/// not counted.
[[nodiscard]] std::int64_t network_working_bytes(const Cell& cell, Precision precision);

/// Approximate bytes that a cell on a CPU needs in addition to waiting workers: twice its weights
/// unless its own worker has loaded them (`is_loaded`), the additional memory for training, and a
/// batch.
[[nodiscard]] std::int64_t next_cell_bytes(const Cell& cell, bool is_loaded);

/// Approximate bytes that CUDA's libraries need on a GPU from the first image on, in addition to
/// weights and results. They are cuBLAS's and cuBLASLt's workspaces (on Hopper 32 MiB each for a
/// handle on a stream, and a graph is recorded on a separate stream), those of cuDNN's
/// convolutions, and the kernels of all of them and of libtorch, which CUDA loads at their first
/// call (0.2 to 0.5 GiB). Estimated from documentation, not yet measured on a GPU.
inline constexpr std::int64_t kCudaLibraryBytes = std::int64_t{614} << 20; // 0.6 GiB

/// Bytes of a cell's images and latents that are kept on the host until its end.
[[nodiscard]] std::int64_t kept_bytes(const Cell& cell);

/// Advice which of the task's options reduce memory use: "use a smaller model or --batch, or
/// --dtype bf16 or fp16".
[[nodiscard]] std::string memory_advice(Task task);

} // namespace sdbench
