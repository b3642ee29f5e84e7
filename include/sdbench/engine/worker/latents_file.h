#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Reads --init-latents: a safetensors file whose tensor "latents" is fp32 of `shape` [N, 4, H/8,
/// W/8], unit noise, all finite. Throws Error with the requirement and the file's content.
[[nodiscard]] at::Tensor read_latents(const std::filesystem::path& path,
                                      const std::vector<std::int64_t>& shape);

/// Writes --dump-latents in the same form: fp32, final, before division by the VAE's scaling
/// factor. Throws Error.
void write_latents(const std::filesystem::path& path, const at::Tensor& latents);

/// Writes a file for RunDump. `steps`: latents [N, 4, h, w] after each step. `pixels`: [N, H, W,
/// 3], uint8. Throws Error.
void write_run_dump(const std::filesystem::path& path, const std::vector<at::Tensor>& steps,
                    const at::Tensor& pixels);
/// Writes a file for RunDump with the images after a step. `pixels`: as above. Throws Error.
void write_pixels(const std::filesystem::path& path, const at::Tensor& pixels);

} // namespace sdbench
