#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Reads the noise in the safetensors file of --init-latents. Its tensor "latents" must be fp32,
/// of `shape` [N, 4, H/8, W/8], and finite. Otherwise throws an Error that names the requirement
/// and what the file has. Whether the noise is unit normal is not checked.
[[nodiscard]] at::Tensor read_latents(const std::filesystem::path& path,
                                      const std::vector<std::int64_t>& shape);

/// Writes the final latents to the file of --dump-latents, in the format that read_latents() reads.
/// The latents are not divided by the VAE's scaling factor. Throws Error.
void write_latents(const std::filesystem::path& path, const at::Tensor& latents);

/// Writes the file that RunDump reads. `steps`: latents [N, C, h, w] after each step. `pixels`: [N,
/// H, W, 3], uint8. Throws Error.
void write_run_dump(const std::filesystem::path& path, const std::vector<at::Tensor>& steps,
                    const at::Tensor& pixels);
/// Writes the images after one step to a file that RunDump reads. `pixels`: [N, H, W, 3], uint8.
/// Throws Error.
void write_pixels(const std::filesystem::path& path, const at::Tensor& pixels);

} // namespace sdbench
