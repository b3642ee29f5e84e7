#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// Maximum bytes of weights that are in memory at the same time, if all stages have the same
/// precision. With `offload` only the largest stage is in memory, else the whole model. Autocast
/// adds 16-bit copies of the largest stage's weights.
[[nodiscard]] std::int64_t weight_bytes(const ModelConfig& model, Precision precision,
                                        bool offload = false);

/// Approximate bytes of the largest activations of decoding, for all images that are decoded at
/// once. These are in the VAE's last blocks, and are as wide and high as the image or, with
/// `tiling`, as a tile. `most`: maximum number of elements of a tensor, see images_decoded_at_once.
[[nodiscard]] std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element,
                                          std::int64_t width, std::int64_t height,
                                          std::int64_t batch, bool tiling = false,
                                          std::optional<std::int64_t> most = {});

/// Approximate bytes of the UNet's activations and caches at their peak. They are the sum of:
/// - the skip connections
/// - the largest tensors of any one level: those of its feed-forward layer or its attention scores,
/// whichever are larger. Only the kernels "math" and "sliced" store scores.
/// - the contents of --kv-cache and --time-cache
/// `attention`: the attention kernel of each UNet level, beginning with the finest level. If a GPU
/// supports only math at a level, that level's kernel is "math" instead of the requested one. If
/// `attention` is empty, all levels use the requested kernel.
[[nodiscard]] std::int64_t denoising_bytes(const Cell& cell, std::size_t bytes_per_element,
                                           std::span<const std::string> attention = {});

/// Minimum bytes that an image classifier's cell needs on its device, without activations. This is
/// the size of the weights for inference, twice that size for training (gradients), and three times
/// that size with the optimiser's step (momentum).
[[nodiscard]] std::int64_t network_bytes(const Cell& cell, Precision precision);

/// Approximate bytes of an image classifier's activations for one batch. Counts what the largest
/// layer reads and writes, and for training also what is kept for the backward pass. Does not count
/// workspaces of libtorch's convolutions.
[[nodiscard]] std::int64_t network_working_bytes(const Cell& cell, Precision precision);

/// Approximate bytes that a cell on a CPU needs besides the memory that workers already use: two
/// copies of the weights, the additional memory for training, and a batch's activations.
/// `is_loaded`: the cell's worker already has the weights, so they do not count.
[[nodiscard]] std::int64_t next_cell_bytes(const Cell& cell, bool is_loaded);

/// Approximate bytes that CUDA's libraries use on a GPU from the first image on, besides weights
/// and tensors. Estimated from documentation, not yet measured on a GPU. The number covers:
/// - workspaces of cuBLAS and cuBLASLt: on Hopper 32 MiB for each pair of handle and stream. A CUDA
/// graph is recorded on a stream of its own, which makes another pair.
/// - workspaces of cuDNN's convolutions
/// - the kernels of these libraries and of libtorch, which CUDA loads at their first call (0.2 to
/// 0.5 GiB)
inline constexpr std::int64_t kCudaLibraryBytes = std::int64_t{614} << 20; // 0.6 GiB

/// Bytes of a cell's images and latents that stay in host memory until the cell ends.
[[nodiscard]] std::int64_t kept_bytes(const Cell& cell);

/// Advice for the user: which of the task's options reduce memory use, such as "use a smaller model
/// or --batch, or --dtype bf16 or fp16".
[[nodiscard]] std::string memory_advice(Task task);

} // namespace sdbench
